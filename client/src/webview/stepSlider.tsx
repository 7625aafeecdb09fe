type Step = 'first' | 'back' | 'forth' | 'last';

interface Props {
  /** The name of the group and of the slider. */
  readonly label: string;
  /** What the buttons do, and in a word. */
  readonly words: Readonly<Record<Step, string>> & { readonly short: Readonly<Record<Step, string>> };
  /** From 0 on. */
  readonly last: number;
  /** What the slider shows. */
  readonly shown: number;
  /** Where one is; undefined: somewhere else. */
  readonly position: number | undefined;
  /** The position in words, for screen readers. */
  readonly valueText: string;
  readonly onPosition: (position: number) => void;
  /** What stands beside the slider. */
  readonly children: preact.ComponentChildren;
}

/** Goes through steps: a slider, which takes the arrow keys, and buttons. */
export function StepSlider({ label, words, last, shown, position, valueText, onPosition, children }: Props) {
  const button = (step: Step, to: number) => {
    const name = words[step];
    const leads = to >= 0 && to <= last && to !== position;
    return (
      // It stays enabled at the end of its way, so that the focus stays on it.
      <button
        type="button"
        aria-label={name}
        title={name}
        aria-disabled={!leads}
        onClick={() => leads && onPosition(to)}
      >
        {words.short[step]}
      </button>
    );
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: what steps through time is no form, so no fieldset.
    <div class="timeline" role="group" aria-label={label}>
      {button('first', 0)}
      {button('back', shown - 1)}
      <input
        type="range"
        min={0}
        max={last}
        value={shown}
        aria-label={label}
        aria-valuetext={valueText}
        onInput={({ currentTarget }) => onPosition(Number(currentTarget.value))}
      />
      {button('forth', shown + 1)}
      {button('last', last)}
      {children}
    </div>
  );
}
