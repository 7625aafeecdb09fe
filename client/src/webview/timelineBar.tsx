import type { PreviewStep } from '../../../server/src/analysis/previewModel';
import { Icon, type IconName } from './icons';
import { nameOf, type Pods } from './state/selectors';
import { strings } from './text/strings';

interface Props {
  readonly steps: readonly PreviewStep[];
  readonly pods: Pods;
  /** How many steps are over. */
  readonly position: number;
  readonly onPosition: (position: number) => void;
}

/** Goes through the turns of the queue: a slider, which takes the arrow keys, and buttons. */
export function TimelineBar({ steps, pods, position, onPosition }: Props) {
  const words = strings.timeline;
  const last = steps.length;
  const step = steps[position - 1];
  const sentence = (() => {
    if (step === undefined) return words.before;
    const outcome =
      step.node === undefined ? words.noNode(nameOf(step.pod, pods)) : words.lands(nameOf(step.pod, pods), step.node);
    return step.victims.length > 0 ? `${outcome}, ${words.victims(step.victims.length)}` : outcome;
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
        aria-valuetext={`${words.turn(position, last)}: ${sentence}`}
        onInput={({ currentTarget }) => onPosition(Number(currentTarget.value))}
      />
      {button('forth', words.forth, position + 1)}
      {button('last', words.last, last)}
      <p>
        <span class="quiet">{words.turn(position, last)}</span> {sentence}
      </p>
    </div>
  );
}
