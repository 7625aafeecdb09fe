import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icons';

interface Props {
  /** Distinguishes it from other menus. */
  readonly name: string;
  readonly label: string;
  /** Value and words. */
  readonly options: readonly (readonly [string, string])[];
  readonly onPick: (value: string) => void;
}

/**
 * A button with a list of things to do. A select would do the first of them at the first arrow key. Enter, Space and the
 * arrow keys open it; Escape closes it and gives the focus back; a letter goes to what begins with it.
 */
export function Menu({ name, label, options, onPick }: Props) {
  const [at, setAt] = useState<number | undefined>(undefined);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = at !== undefined;

  useItems(root, at, () => setAt(undefined));
  const close = () => {
    setAt(undefined);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (at !== undefined && event.key === 'Tab') return close();
    const to = at !== undefined && event.key === 'Escape' ? 'closed' : targetOf(event.key, at, options);
    if (to === undefined) return;
    event.preventDefault();
    if (to === 'closed') close();
    else setAt(to);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the button and of the list that it opens.
    <div
      class="menu"
      ref={root}
      onKeyDown={onKeyDown}
      onFocusOut={({ relatedTarget }) => {
        if (!root.current?.contains(relatedTarget as Node | null)) setAt(undefined);
      }}
    >
      <button
        type="button"
        class="secondary"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        data-key={`menu:${name}`}
        ref={button}
        onClick={() => setAt(isOpen ? undefined : 0)}
      >
        {label}
        <Icon name="down" />
      </button>
      {isOpen && (
        <Items
          {...{ id, label, options }}
          onPoint={setAt}
          onPick={value => {
            close();
            onPick(value);
          }}
        />
      )}
    </div>
  );
}

interface ItemsProps extends Pick<Props, 'label' | 'options' | 'onPick'> {
  readonly id: string;
  readonly onPoint: (at: number) => void;
}

function Items({ id, label, options, onPoint, onPick }: ItemsProps) {
  return (
    <div class="menu-items" role="menu" id={id} aria-label={label}>
      {options.map(([value, words], index) => (
        <button
          key={value}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onPointerMove={() => onPoint(index)}
          onClick={() => onPick(value)}
        >
          {words}
        </button>
      ))}
    </div>
  );
}

/** The list stays within the window and goes when that changes; the option that it is at has the focus. */
function useItems(root: { readonly current: HTMLElement | null }, at: number | undefined, close: () => void) {
  const isOpen = at !== undefined;
  useLayoutEffect(() => {
    const items = root.current?.querySelector<HTMLElement>('[role="menu"]');
    if (!items) return;
    const start = root.current?.getBoundingClientRect().left ?? 0;
    items.classList.toggle('to-the-left', start + items.offsetWidth > window.innerWidth);
    window.addEventListener('resize', close);
    return () => window.removeEventListener('resize', close);
  }, [isOpen]);
  useLayoutEffect(() => {
    if (at !== undefined) root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]')[at]?.focus();
  }, [at]);
}

/** Where a key leads, from an option or (undefined) from the closed menu; undefined: the key is not the menu's. */
function targetOf(key: string, from: number | undefined, options: Props['options']): number | undefined {
  const last = options.length - 1;
  if (key === 'ArrowDown') return from === undefined || from === last ? 0 : from + 1;
  if (key === 'ArrowUp') return from === undefined || from === 0 ? last : from - 1;
  if (from === undefined) return undefined;
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  return key.length > 1 || key === ' ' ? undefined : beginningWith(key, from, options);
}

/** The next option that begins with a letter, going round. */
function beginningWith(letter: string, from: number, options: Props['options']): number | undefined {
  const order = options.map((_, index) => (from + 1 + index) % options.length);
  return order.find(it => options[it]?.[1].toLowerCase().startsWith(letter.toLowerCase()));
}
