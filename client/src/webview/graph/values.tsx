import type { StateGraphModel } from '../../../../server/src/analysis/stateGraph';
import { Icon } from '../icons';
import { graphStrings as words } from '../text/graphStrings';
import { valueRows } from './view';

interface Props {
  readonly graph: StateGraphModel;
  /** An index in the way; absent: `drawn` is not on it. */
  readonly at: number | undefined;
  /** An index of a drawn state. */
  readonly drawn: number | undefined;
}

/** More rows are not drawn; those that changed come first then. */
const MOST_ROWS = 300;

/** The values of the state that is looked at, beside those before its step. */
export function Values({ graph, at, drawn }: Props) {
  const now = at === undefined ? (drawn === undefined ? undefined : graph.states[drawn]?.state) : graph.way[at]?.state;
  if (now === undefined) return null;
  const before = at === undefined ? undefined : graph.way[at - 1]?.state;
  const all = valueRows(now, before);
  const rows = all.length > MOST_ROWS ? all.toSorted((a, b) => Number(b.isChanged) - Number(a.isChanged)) : all;
  const title =
    at === undefined
      ? words.state((drawn ?? 0) + 1)
      : at === 0
        ? words.start
        : words.position(at, graph.way.length - 1);
  const { name, before: beforeTitle, now: nowTitle, changed, of } = words.variables;
  return (
    // It scrolls, so that keys must reach it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
    <section class="values" aria-label={of(title)} tabIndex={0} data-scroller="values">
      <table>
        <caption>{of(title)}</caption>
        <thead>
          <tr>
            <th scope="col">{name}</th>
            {before && <th scope="col">{beforeTitle}</th>}
            <th scope="col">{nowTitle}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map(it => (
            <tr key={it.name} class={it.isChanged ? 'is-changed' : ''}>
              <th scope="row">{it.name}</th>
              {before && <td>{it.before}</td>}
              <td>
                {it.now}
                {it.isChanged && (
                  <>
                    <Icon name="dot" />
                    <span class="sr-only">{changed}</span>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {all.length > MOST_ROWS && <p class="hint">{words.more(all.length - MOST_ROWS)}</p>}
    </section>
  );
}
