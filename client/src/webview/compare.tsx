import { useEffect } from 'preact/hooks';
import type { PreviewFigures, PreviewModel, Strategy } from '../../../server/src/analysis/preview';
import { type Strings, strings } from './strings';
import { triedIn } from './tries';

interface Props {
  readonly model: PreviewModel;
  readonly figures: readonly PreviewFigures[] | undefined;
  readonly onCompare: () => void;
  readonly onShow: (strategy: Strategy) => void;
}

/** The ways to score side by side, one a column; the best figure of each row is marked. */
export function Compare({ model, figures, onCompare, onShow }: Props) {
  const words = strings.compare;
  // Whatever changes the model may change every figure.
  useEffect(onCompare, [model]);
  const now = triedIn(model).strategy ?? 'configured';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach what scrolls.
    <section class="table-view" aria-label={words.label} data-scroller="compare" tabIndex={0}>
      <p class="quiet">{words.explained}</p>
      {figures === undefined ? (
        <p class="hint">{words.waiting}</p>
      ) : (
        <table class="compare">
          <caption class="sr-only">{words.label}</caption>
          <thead>
            <tr>
              <td />
              {figures.map(({ strategy }) => (
                <th scope="col" key={strategy} title={strings.tries.strategies[strategy]}>
                  {words.names[strategy]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ROWS.map(row => (
              <FigureRow key={row.name} row={row} figures={figures} />
            ))}
            <tr>
              <th scope="row">{words.show}</th>
              {figures.map(({ strategy }) => (
                <td key={strategy}>
                  <button
                    type="button"
                    class="secondary"
                    disabled={strategy === now}
                    aria-label={strategy === now ? words.shown : words.showOf(strings.tries.strategies[strategy])}
                    onClick={() => onShow(strategy)}
                  >
                    {strategy === now ? words.shown : words.show}
                  </button>
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      )}
    </section>
  );
}

interface FigureOf {
  readonly name: keyof Strings['compare']['rows'];
  /** What is compared, more being better; absent: no way is better. */
  readonly worth?: (figures: PreviewFigures) => number;
  readonly words: (figures: PreviewFigures) => string;
  /** From 0 to 1, for a bar. */
  readonly part?: (figures: PreviewFigures) => number;
}

const percent = (part: number): string => `${Math.round(100 * part)} %`;

const zoneGap = ({ zones }: PreviewFigures): number =>
  Math.max(0, ...zones.map(it => it.pods)) - Math.min(...zones.map(it => it.pods), Number.MAX_SAFE_INTEGER);

const wasted = ({ room }: PreviewFigures): number => (room.whole > 0 ? 1 - room.fits / room.whole : 0);

const ROWS: readonly FigureOf[] = [
  { name: 'placed', worth: it => it.placed, words: it => String(it.placed) },
  { name: 'pending', worth: it => -it.pending - it.evicted, words: it => String(it.pending + it.evicted) },
  {
    name: 'nodesUsed',
    worth: it => -it.nodesUsed,
    words: it => strings.workloads.of(it.nodesUsed, it.nodes),
    part: it => it.nodesUsed / Math.max(1, it.nodes),
  },
  { name: 'freeCpu', words: it => percent(it.free.cpu), part: it => it.free.cpu },
  { name: 'freeMemory', words: it => percent(it.free.memory), part: it => it.free.memory },
  { name: 'zones', worth: it => -zoneGap(it), words: it => it.zones.map(zone => zone.pods).join(' · ') },
  { name: 'room', worth: it => it.room.fits, words: it => String(it.room.fits) },
  { name: 'fragmentation', worth: it => -wasted(it), words: it => percent(wasted(it)), part: wasted },
];

function FigureRow({ row, figures }: { row: FigureOf; figures: readonly PreviewFigures[] }) {
  const { name, worth, words, part } = row;
  const best = worth && Math.max(...figures.map(worth));
  const isEqual = worth !== undefined && figures.every(it => worth(it) === best);
  return (
    <tr>
      <th scope="row" title={strings.compare.explain[name]}>
        {strings.compare.rows[name]}
      </th>
      {figures.map(it => {
        const isBest = worth !== undefined && !isEqual && worth(it) === best;
        return (
          <td key={it.strategy} class={isBest ? 'best' : ''}>
            {words(it)}
            {isBest && <span class="sr-only"> ({strings.compare.best})</span>}
            {part && (
              <span class="track" aria-hidden="true">
                <span class="segment placed" style={{ width: `${100 * part(it)}%` }} />
              </span>
            )}
          </td>
        );
      })}
    </tr>
  );
}
