import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { strings } from './text/strings';

export type ScaleUnit = 'replicas' | 'times';

interface Props {
  /** Distinguishes it from others. */
  readonly name: string;
  /** What the button says, and what is scaled. */
  readonly label: string;
  readonly title: string;
  readonly units: readonly ScaleUnit[];
  /** How many there are now; absent: of several workloads. */
  readonly replicas?: number;
  readonly onScale: (count: number, unit: ScaleUnit) => void;
}

/** More would be placed for minutes. */
const MOST: Readonly<Record<ScaleUnit, number>> = { replicas: 10_000, times: 100 };

/** A button that asks for a number of replicas, or how many times as many. Enter tries it, Escape gives up. */
export function Scale({ name, label, title, units, replicas, onScale }: Props) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLSpanElement>(null);
  const close = () => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape of the button and of the form that it opens.
    <span
      class="menu scale"
      ref={root}
      onKeyDown={event => {
        if (!isOpen || event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget !== null && !root.current?.contains(relatedTarget as Node)) setOpen(false);
      }}
    >
      <button
        type="button"
        class="secondary"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={label === title ? undefined : title}
        title={title}
        data-key={`scale:${name}`}
        onClick={() => (isOpen ? close() : setOpen(true))}
      >
        {label}
      </button>
      {isOpen && (
        <ScaleForm
          {...{ id, title, units, replicas, root }}
          onClose={() => setOpen(false)}
          onScale={(count, unit) => {
            close();
            onScale(count, unit);
          }}
        />
      )}
    </span>
  );
}

/** What opens has the focus and stays within the window; a press elsewhere closes it. */
function useOpened(root: { readonly current: HTMLElement | null }, close: () => void) {
  useLayoutEffect(() => {
    const input = root.current?.querySelector('input');
    input?.focus();
    input?.select();
    const form = root.current?.querySelector('form');
    form?.classList.toggle('to-the-left', form.getBoundingClientRect().right > window.innerWidth);
    const onPointer = ({ target }: Event) => {
      if (!root.current?.contains(target as Node)) close();
    };
    document.addEventListener('pointerdown', onPointer);
    return () => document.removeEventListener('pointerdown', onPointer);
  }, []);
}

interface FormProps extends Pick<Props, 'title' | 'units' | 'onScale'> {
  readonly id: string;
  readonly replicas: number | undefined;
  /** Holds the form and the button that opens it. */
  readonly root: { readonly current: HTMLElement | null };
  readonly onClose: () => void;
}

function ScaleForm({ id, title, units, replicas = 1, root, onScale, onClose }: FormProps) {
  useOpened(root, onClose);
  const [unit, setUnit] = useState<ScaleUnit>(units[0] ?? 'times');
  const input = useRef<HTMLInputElement>(null);
  const words = strings.whatIf.scaling;
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const count = input.current?.valueAsNumber ?? Number.NaN;
    if (!Number.isNaN(count)) onScale(count, unit);
  };
  return (
    <form class="menu-items asking" id={id} aria-label={title} onSubmit={onSubmit}>
      <input
        type="number"
        ref={input}
        aria-label={words.number}
        required
        min={0}
        max={MOST[unit]}
        step={unit === 'replicas' ? 1 : 'any'}
        defaultValue={unit === 'replicas' ? String(replicas) : '2'}
        key={unit}
      />
      {units.length === 1 ? (
        <span>{words[unit]}</span>
      ) : (
        <select
          aria-label={words.unit}
          value={unit}
          onChange={({ currentTarget }) => setUnit(currentTarget.value as ScaleUnit)}
        >
          {units.map(it => (
            <option key={it} value={it}>
              {words[it]}
            </option>
          ))}
        </select>
      )}
      <button type="submit">{words.try}</button>
    </form>
  );
}
