import type { PreviewWhy } from '../../../server/src/analysis/previewModel';
import { Icon } from './icons';
import { strings } from './text/strings';

interface Props {
  readonly why: PreviewWhy;
  readonly onApply: (suggestion: number) => void;
}

/** The decision step by step, each with the plugin that took it, and what would change it. */
export function Why({ why, onApply }: Props) {
  const words = strings.why;
  return (
    <>
      {(why.suggestions.length > 0 || why.cut !== undefined) && (
        <section class="block suggestions">
          <h2>{words.suggestions[why.suggests]}</h2>
          <ul>
            {why.suggestions.map(({ title, effect, edits }, index) => (
              <li key={title}>
                <span>
                  <strong>{title}</strong>: {effect}
                </span>
                <button
                  type="button"
                  class="secondary"
                  disabled={edits === undefined}
                  title={edits === undefined ? words.cannotApply : undefined}
                  aria-label={words.applyOf(title)}
                  onClick={() => onApply(index)}
                >
                  {words.apply}
                </button>
              </li>
            ))}
          </ul>
          {why.cut !== undefined && <p class="hint">{why.cut}</p>}
        </section>
      )}
      <section class="block why">
        <h2>{words.title}</h2>
        <ol>
          {why.steps.map(({ plugin, sentence }) => (
            <li key={`${plugin} ${sentence}`}>
              <Icon name="dot" />
              <span>
                {sentence} <span class="quiet">{plugin}</span>
              </span>
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}
