import { useMemo, useRef, useState } from 'preact/hooks';
import type { PreviewNode } from '../../../../server/src/analysis/previewModel';
import { Icon, VERDICT_ICONS } from '../icons';
import { type MapDetail, mapDetailFor, usedPart, useOf, wholePercent } from '../state/mapCells';
import { type CardVerdict, nearest, type Zone } from '../state/selectors';
import { strings } from '../text/strings';
import { statesOf, summaryOf } from './card';
import { useNodeName } from './nodeNames';

interface Props {
  readonly zones: readonly Zone[];
  readonly verdictOf: (node: PreviewNode) => CardVerdict | undefined;
  /** The node whose details are shown. */
  readonly opened: string | undefined;
  readonly onOpen: (node: string) => void;
}

/** All nodes at once, by zone, each a cell that tells how full it is and what it means to the chosen Pod. */
export function NodeMap({ zones, verdictOf, opened, onOpen }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const nodes = useMemo(() => zones.flatMap(it => it.nodes), [zones]);
  const [pointed, setPointed] = useState<string | undefined>(undefined);
  const [focused, setFocused] = useState<string | undefined>(undefined);
  const stop = [focused, opened].find(name => nodes.some(it => it.name === name)) ?? nodes[0]?.name;
  const detail = mapDetailFor(nodes.length);
  // The same elements again while the pointer moves.
  const cells = useMemo(
    () =>
      zones.map(zone => (
        <section class="map-zone" key={zone.name} aria-label={strings.nodeGrid.zone(zone.name)}>
          <h2>
            {strings.nodeGrid.zone(zone.name)}{' '}
            <span class="quiet">{strings.nodeGrid.zoneCount(zone.nodes.length)}</span>
          </h2>
          <div class="cells">
            {zone.nodes.map(node => (
              <Cell
                key={node.name}
                {...{ node, detail, onOpen }}
                verdict={verdictOf(node)}
                isOpened={opened === node.name}
                isStop={stop === node.name}
              />
            ))}
          </div>
        </section>
      )),
    [zones, verdictOf, opened, stop, detail],
  );
  const shown = nodes.find(it => it.name === (pointed ?? focused));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and pointers of the cells inside.
    <div
      class={`map with-${detail}`}
      ref={root}
      onKeyDown={event => goToCell(event, root.current)}
      onFocusIn={({ target }) => setFocused(nodeAt(target))}
      onFocusOut={() => setFocused(undefined)}
      onPointerOver={({ target }) => setPointed(nodeAt(target))}
      onPointerLeave={() => setPointed(undefined)}
    >
      <div class="map-zones">{cells}</div>
      {/* A cell's own label says the same. */}
      <p class="readout" aria-hidden="true">
        {shown === undefined ? strings.map.key : summaryOf(shown, verdictOf(shown))}
      </p>
    </div>
  );
}

const nodeAt = (target: EventTarget | null): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('[data-node]')?.dataset.node : undefined;

interface CellProps {
  readonly node: PreviewNode;
  readonly verdict: CardVerdict | undefined;
  readonly detail: MapDetail;
  readonly isOpened: boolean;
  /** Whether Tab reaches it. */
  readonly isStop: boolean;
  readonly onOpen: (node: string) => void;
}

/** Its words are drawn by the style sheet: the label says them in a sentence. */
function Cell({ node, verdict, detail, isOpened, isStop, onOpen }: CellProps) {
  const folded = useNodeName();
  const kind = verdict?.kind ?? 'none';
  const states = statesOf(node);
  const summary = summaryOf(node, verdict);
  return (
    <button
      type="button"
      class={`cell ${kind}${states.length > 0 ? ' is-off' : ''}`}
      aria-label={summary}
      title={summary}
      aria-pressed={isOpened}
      tabIndex={isStop ? 0 : -1}
      data-key={`cell:${node.name}`}
      data-node={node.name}
      style={{ '--use': `${Math.min(100, wholePercent(useOf(node)))}%` }}
      onClick={() => onOpen(node.name)}
    >
      {detail === 'squares' ? (
        kind !== 'none' && <Icon name={VERDICT_ICONS[kind]} />
      ) : (
        <span class="cell-name">
          {kind !== 'none' && <Icon name={VERDICT_ICONS[kind]} />}
          <strong class="drawn" data-text={folded(node.name)} />
          {detail === 'words' && <span class="cell-count drawn" data-text={strings.map.pods(node.pods.length)} />}
        </span>
      )}
      {detail === 'words' && (
        <>
          <span
            class="cell-why drawn"
            data-text={[...states, verdict && shortly(verdict)].filter(Boolean).join(' · ')}
          />
          <span class="cell-uses">
            <Use label={strings.map.cpu} part={usedPart(node, 'cpu')} />
            <Use label={strings.map.memory} part={usedPart(node, 'memory')} />
          </span>
        </>
      )}
    </button>
  );
}

/** What a cell has room for: of a rejection the reason alone, as its sign says that it is one. */
const shortly = ({ kind, title, detail }: CardVerdict): string =>
  kind === 'rejected' && detail !== '' ? detail : [title, detail].filter(Boolean).join(' · ');

function Use({ label, part }: { readonly label: string; readonly part: number }) {
  const percent = wholePercent(part);
  return (
    <span class={part > 1 ? 'use over' : 'use'} style={{ '--part': `${Math.min(100, percent)}%` }}>
      <span class="drawn" data-text={label} />
      <span class="use-percent drawn" data-text={strings.map.percent(percent)} />
    </span>
  );
}

/** Left and right go from cell to cell, up and down to the nearest one. */
function goToCell(event: KeyboardEvent, map: HTMLElement | null): void {
  if (event.altKey || event.ctrlKey || event.metaKey || map === null) return;
  const cells = [...map.querySelectorAll<HTMLElement>('.cell')];
  const to = cellAfter(event.key, cells, cells.indexOf(event.target as HTMLElement));
  if (to === undefined) return;
  event.preventDefault();
  to.focus();
  to.scrollIntoView({ block: 'nearest' });
}

function cellAfter(key: string, cells: readonly HTMLElement[], at: number): HTMLElement | undefined {
  const from = cells[at];
  if (from === undefined) return undefined;
  if (key === 'ArrowRight') return cells[at + 1];
  if (key === 'ArrowLeft') return cells[at - 1];
  if (key === 'Home') return cells[0];
  if (key === 'End') return cells.at(-1);
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined;
  const boxes = cells.map(it => it.getBoundingClientRect());
  const index = nearest(boxes, from.getBoundingClientRect(), key === 'ArrowDown' ? 'down' : 'up');
  return index === undefined ? undefined : cells[index];
}
