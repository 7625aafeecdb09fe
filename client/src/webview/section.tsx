import type { ComponentChildren } from 'preact';
import { useChoice } from './state/choice';

interface Props {
  readonly name: string;
  readonly title: ComponentChildren;
  /** Beside the title, also where the section is closed. */
  readonly about?: ComponentChildren;
  readonly atFirst: 'open' | 'closed';
  readonly children: ComponentChildren;
}

/** A part of the page that can be closed; it stays as the user left it. */
export function Section({ name, title, about, atFirst, children }: Props) {
  const [state, setState] = useChoice(`section ${name}`, atFirst);
  const isOpen = state === 'open';
  return (
    <details class={`section section-${name}`} open={isOpen}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary can be pressed. */}
      <summary
        data-key={`section:${name}`}
        onClick={event => {
          event.preventDefault();
          setState(isOpen ? 'closed' : 'open');
        }}
      >
        <h2>{title}</h2>
        {about}
      </summary>
      {isOpen && children}
    </details>
  );
}
