import type { PreviewModel } from '../../../server/src/analysis/previewModel';
import { StepSlider } from './stepSlider';
import { trailWords as words } from './text/trailStrings';

interface Props {
  readonly trail: NonNullable<PreviewModel['trail']>;
  readonly onPosition: (position: number) => void;
}

/** Goes along the way to a finding: a slider, which takes the arrow keys, and buttons. */
export function TrailBar({ trail: { says, steps, at, cycleFrom }, onPosition }: Props) {
  const step = steps[at - 1];
  const repeats = cycleFrom !== undefined && at > cycleFrom ? ` (${words.repeats})` : '';
  const sentence = step === undefined ? words.before : `${step}${repeats}`;
  const turn = words.step(at, steps.length);
  return (
    <>
      <StepSlider
        label={words.label}
        valueText={`${turn}: ${sentence}`}
        last={steps.length}
        shown={at}
        position={at}
        {...{ words, onPosition }}
      >
        <p>
          <span class="quiet">{turn}</span> {sentence}
        </p>
      </StepSlider>
      <p class="trail-end">{`${says.charAt(0).toUpperCase()}${says.slice(1)}.`}</p>
    </>
  );
}
