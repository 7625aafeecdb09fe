import type { PreviewStep } from '../../../server/src/analysis/previewModel';
import { nameOf, type Pods } from './state/selectors';
import { arrivalsOver } from './state/timeline';
import { StepSlider } from './stepSlider';
import { arrivalWords } from './text/arrivalStrings';
import { strings } from './text/strings';

interface Props {
  readonly steps: readonly PreviewStep[];
  readonly pods: Pods;
  /** How many steps are over. */
  readonly position: number;
  readonly onPosition: (position: number) => void;
  /** The order of arrival that is tried. */
  readonly arrivals?: readonly string[] | undefined;
}

/** Goes through the turns of the queue: a slider, which takes the arrow keys, and buttons. */
export function TimelineBar({ steps, pods, position, onPosition, arrivals }: Props) {
  const words = strings.timeline;
  const last = steps.length;
  const step = steps[position - 1];
  const turn = arrivals
    ? arrivalWords.arrival(arrivalsOver(steps, position), arrivals.length)
    : words.turn(position, last);
  const sentence = (() => {
    if (step === undefined) return arrivals ? arrivalWords.before : words.before;
    const name = nameOf(step.pod, pods);
    const noNode = arrivals ? arrivalWords.waits(name) : words.noNode(name);
    const outcome = step.node === undefined ? noNode : words.lands(name, step.node);
    const whole = step.victims.length > 0 ? `${outcome}, ${words.victims(step.victims.length)}` : outcome;
    return step.again ? arrivalWords.again(whole) : whole;
  })();
  return (
    <StepSlider
      label={words.label}
      valueText={`${turn}: ${sentence}`}
      shown={position}
      {...{ words, last, position, onPosition }}
    >
      <p>
        <span class="quiet">{turn}</span> {sentence}
      </p>
    </StepSlider>
  );
}
