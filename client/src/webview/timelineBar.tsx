import type { PreviewStep } from '../../../server/src/analysis/previewModel';
import { Icon, type IconName } from './icons';
import { nameOf, type Pods } from './state/selectors';
import { arrivalsOver } from './state/timeline';
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
  const button = (icon: IconName, label: string, to: number) => {
    const leads = to >= 0 && to <= last && to !== position;
    return (
      // It stays enabled at the end of its way, so that the focus stays on it.
      <button
        type="button"
        aria-label={label}
        title={label}
        aria-disabled={!leads}
        onClick={() => leads && onPosition(to)}
      >
        <Icon name={icon} />
      </button>
    );
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: what steps through time is no form, so no fieldset.
    <div class="timeline" role="group" aria-label={words.label}>
      {button('first', words.first, 0)}
      {button('back', words.back, position - 1)}
      <input
        type="range"
        min={0}
        max={last}
        value={position}
        aria-label={words.label}
        aria-valuetext={`${turn}: ${sentence}`}
        onInput={({ currentTarget }) => onPosition(Number(currentTarget.value))}
      />
      {button('forth', words.forth, position + 1)}
      {button('last', words.last, last)}
      <p>
        <span class="quiet">{turn}</span> {sentence}
      </p>
    </div>
  );
}
