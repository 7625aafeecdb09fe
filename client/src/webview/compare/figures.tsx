import type { ComparedPlacement, ComparedStrategy } from '../../../../server/src/analysis/previewModel';
import { strings } from '../text/strings';
import type { Strings } from '../text/strings.en';

/** A strategy with its placement, once it is there. */
interface Placed {
  readonly strategy: ComparedStrategy;
  readonly placement: ComparedPlacement | undefined;
  /** Other than done: the placement is an older one. */
  readonly state: string;
}

interface Props {
  readonly placements: readonly Placed[];
  /** Whether everything is worked out that can be. */
  readonly isOver: boolean;
}

interface FigureOf {
  readonly name: keyof Strings['compare']['rows'];
  /** What is compared, more being better; absent: no way is better. */
  readonly worth?: (placement: ComparedPlacement) => number;
  /** `unknown` stands for what is not worked out. */
  readonly words: (placement: ComparedPlacement, unknown: string) => string;
  /** From 0 to 1, for a bar. */
  readonly part?: (placement: ComparedPlacement) => number;
}

const percent = (part: number): string => `${Math.round(100 * part)} %`;

const zoneGap = ({ figures: { zones } }: ComparedPlacement): number =>
  Math.max(0, ...zones.map(it => it.pods)) - Math.min(...zones.map(it => it.pods), Number.MAX_SAFE_INTEGER);

const wasted = ({ figures: { room } }: ComparedPlacement): number => (room.whole > 0 ? 1 - room.fits / room.whole : 0);

const ROWS: readonly FigureOf[] = [
  {
    name: 'fresh',
    worth: it => it.figures.fresh.placed,
    words: it => strings.workloads.of(it.figures.fresh.placed, it.figures.fresh.of),
    part: it => it.figures.fresh.placed / Math.max(1, it.figures.fresh.of),
  },
  { name: 'placed', worth: it => it.figures.placed, words: it => String(it.figures.placed) },
  { name: 'pending', worth: it => -it.figures.unplaced, words: it => String(it.figures.unplaced) },
  {
    name: 'nodesUsed',
    worth: it => -it.figures.nodesUsed,
    words: it => strings.workloads.of(it.figures.nodesUsed, it.figures.nodes),
    part: it => it.figures.nodesUsed / Math.max(1, it.figures.nodes),
  },
  { name: 'freeCpu', words: it => percent(it.figures.free.cpu), part: it => it.figures.free.cpu },
  { name: 'freeMemory', words: it => percent(it.figures.free.memory), part: it => it.figures.free.memory },
  { name: 'zones', worth: it => -zoneGap(it), words: it => it.figures.zones.map(zone => zone.pods).join(' · ') },
  { name: 'room', worth: it => it.figures.room.fits, words: it => String(it.figures.room.fits) },
  { name: 'fragmentation', worth: it => -wasted(it), words: it => percent(wasted(it)), part: wasted },
  { name: 'objective', worth: it => -it.objective, words: it => String(it.objective) },
  { name: 'gap', words: (it, unknown) => gapInWords(it.gap) ?? unknown },
];

/** Rounded up: never nearer to the best than is proven. */
function gapInWords(gap: number | undefined): string | undefined {
  const words = strings.compare.gaps;
  if (gap === undefined) return undefined;
  return gap === 0 ? words.none : words.atMost(Math.ceil(100 * gap));
}

/** A row for each figure, a cell for each placement. */
export function FigureRows({ placements, isOver }: Props) {
  return (
    <>
      {ROWS.map(row => (
        <FigureRow key={row.name} row={row} placements={placements} isOver={isOver} />
      ))}
    </>
  );
}

function FigureRow({ row, placements, isOver }: Props & { readonly row: FigureOf }) {
  const { name, worth, words, part } = row;
  const fresh = placements.flatMap(it => (it.placement && it.state === 'done' ? [it.placement] : []));
  const best = worth && Math.max(...fresh.map(worth));
  const isEqual = worth !== undefined && fresh.every(it => worth(it) === best);
  return (
    <tr>
      <th scope="row" title={strings.compare.explain[name]}>
        {strings.compare.rows[name]}
      </th>
      {placements.map(({ strategy, placement, state }) => {
        if (placement === undefined) return <td key={strategy}>…</td>;
        const isFresh = state === 'done';
        const isBest = isFresh && worth !== undefined && !isEqual && worth(placement) === best;
        return (
          <td key={strategy} class={isBest ? 'best' : isFresh ? '' : 'aged'}>
            {words(placement, isOver ? strings.compare.gaps.unknown : '…')}
            {isBest && <span class="sr-only"> ({strings.compare.best})</span>}
            {part && (
              <span class="track" aria-hidden="true">
                <span class="segment placed" style={{ width: `${100 * part(placement)}%` }} />
              </span>
            )}
          </td>
        );
      })}
    </tr>
  );
}
