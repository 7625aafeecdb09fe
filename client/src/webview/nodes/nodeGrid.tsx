import type { ComponentChildren, RefObject } from 'preact';
import { useCallback, useContext, useMemo, useRef, useState } from 'preact/hooks';
import type { PreviewModel, PreviewNode, PreviewPod } from '../../../../server/src/analysis/previewModel';
import type { Attempt } from '../../../../server/src/scheduler/result';
import { Icon } from '../icons';
import { useChoice } from '../state/choice';
import {
  nearest,
  type Pods,
  reasonsFor,
  shownIn,
  verdictOn,
  victimsByNode,
  type Zone,
  zonesOf,
} from '../state/selectors';
import { type WhatIfStep, withChange } from '../state/whatIf';
import { strings } from '../text/strings';
import { Card } from './card';
import { TryOn, useDropOnNodes } from './fit';
import { NodeMap } from './map';
import { Rows, useColumns, useDrawnRows } from './rows';
import { alwaysDrawn, rowsOf } from './visibleRows';

/** More cards than these are drawn when they come near. */
const MANY_CARDS = 60;

interface NodeGridProps {
  readonly model: PreviewModel;
  readonly pods: Pods;
  readonly chosen: PreviewPod | undefined;
  readonly attempt: Attempt | undefined;
  readonly victims: readonly string[];
  readonly onChoose: (pod: string) => void;
  readonly onTry: (change: WhatIfStep) => void;
}

/** The nodes by zone: all of them as a map, with one of them in detail, or a card for each. */
export function NodeGrid(props: NodeGridProps) {
  const [mode, setMode] = useChoice('board', 'map');
  const words = strings.map.modes;
  const drop = useDropOnNodes();
  return (
    // One Tab stop each: the arrow keys move the focus among the cells, or the cards and tiles.
    <section class="board" aria-label={strings.nodeGrid.label} data-scroller="board" {...drop}>
      {/* biome-ignore lint/a11y/useSemanticElements: ways to show something are no form, so no fieldset. */}
      <div class="board-modes" role="group" aria-label={words.label}>
        {(['map', 'cards'] as const).map(it => (
          <button
            key={it}
            type="button"
            class="mode"
            aria-pressed={it === mode}
            data-key={`mode:${it}`}
            onClick={() => setMode(it)}
          >
            {words[it]}
          </button>
        ))}
        {mode === 'cards' && <Legend />}
      </div>
      {mode === 'cards' ? <Cards {...props} /> : <MapOfNodes {...props} />}
    </section>
  );
}

const NO_PODS: readonly PreviewPod[] = [];

function MapOfNodes({ model, pods, chosen, attempt, victims, onChoose, onTry }: NodeGridProps) {
  const zones = useMemo(() => zonesOf(model.nodes), [model]);
  const gone = useMemo(() => victimsByNode(model), [model]);
  const [opened, setOpened] = useState<string | undefined>(undefined);
  const onTryOn = useContext(TryOn);
  const reasons = chosen && reasonsFor(model, chosen);
  const shown = shownIn(model);
  const verdictOf = useMemo(
    () => (node: PreviewNode) => chosen && verdictOn(node.name, chosen, attempt, pods, victims, reasons, shown),
    [chosen, attempt, pods, victims, reasons, shown],
  );
  const node = model.nodes.find(it => it.name === opened);
  const onOpen = useCallback((name: string) => setOpened(now => (now === name ? undefined : name)), []);
  return (
    <>
      <NodeMap {...{ zones, verdictOf, onOpen }} opened={node?.name} />
      {node && (
        <div class="opened-node">
          <Card
            {...{ node, pods, chosen, onChoose }}
            gone={gone.get(node.name) ?? NO_PODS}
            verdict={verdictOf(node)}
            stop="all"
            onTry={change => onTry(it => withChange(it, { do: change, node: node.name }))}
          />
          {chosen && (
            <button
              type="button"
              class="secondary"
              data-key={`fit:${node.name}`}
              onClick={() => onTryOn(chosen.id, node.name)}
            >
              {strings.fit.here(chosen.name)}
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** A card for each node. One tab stop: left and right go through cards and tiles, up and down from card to card. */
function Cards({ model, pods, chosen, attempt, victims, onChoose, onTry }: NodeGridProps) {
  const zones = useMemo(() => zonesOf(model.nodes), [model]);
  const gone = useMemo(() => victimsByNode(model), [model]);
  const [focused, setFocused] = useState<string | undefined>(undefined);
  const grid = useRef<HTMLDivElement>(null);
  const stop =
    focused !== undefined && model.nodes.some(it => it.name === nodeOf(focused, pods))
      ? focused
      : `node:${zones[0]?.nodes[0]?.name ?? ''}`;

  const stopNode = nodeOf(stop, pods);
  const inView = chosen && (chosen.node ?? attempt?.preemption?.nominatedNode);
  const card = (node: PreviewNode) => (
    <Card
      key={node.name}
      node={node}
      pods={pods}
      gone={gone.get(node.name) ?? []}
      chosen={chosen}
      verdict={
        chosen && verdictOn(node.name, chosen, attempt, pods, victims, reasonsFor(model, chosen), shownIn(model))
      }
      stop={stop}
      onChoose={onChoose}
      onTry={change => onTry(it => withChange(it, { do: change, node: node.name }))}
    />
  );

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || grid.current === null) return;
    const target = targetOf(event.key, grid.current, event.target as HTMLElement);
    if (target === undefined) return;
    event.preventDefault();
    target.focus();
    target.scrollIntoView({ block: 'nearest' });
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move the focus among the cards and tiles inside.
    <div
      class="all-cards"
      ref={grid}
      onKeyDown={onKeyDown}
      onFocusIn={({ target }) => {
        const key = target instanceof HTMLElement ? target.dataset.key : undefined;
        if (key !== undefined) setFocused(key);
      }}
    >
      <Zones
        board={grid}
        zones={zones}
        isWhole={model.nodes.length <= MANY_CARDS}
        kept={[stopNode, inView]}
        card={card}
      />
    </div>
  );
}

interface ZonesProps {
  readonly board: RefObject<HTMLElement>;
  readonly zones: readonly Zone[];
  /** Few enough to draw all of them. */
  readonly isWhole: boolean;
  /** Nodes that are drawn wherever they are. */
  readonly kept: readonly (string | undefined)[];
  readonly card: (node: PreviewNode) => ComponentChildren;
}

/** A component of its own, so that scrolling renders no card again. */
function Zones({ board: grid, zones, isWhole, kept, card }: ZonesProps) {
  const columns = useColumns(grid, zones);
  const rows = useMemo(
    () => zones.map(({ nodes }) => (isWhole ? [nodes] : rowsOf(nodes, columns))),
    [zones, isWhole, columns],
  );
  const drawn = useDrawnRows(grid, rows);
  const always = useMemo(() => new Set(isWhole ? rows.flat() : alwaysDrawn(rows, kept)), [rows, isWhole, ...kept]);
  return (
    <div class="zones">
      {zones.map(({ name, nodes }, at) => (
        <section class="zone" key={name} aria-label={strings.nodeGrid.zone(name)}>
          <h2>
            {strings.nodeGrid.zone(name)} <span class="quiet">{strings.nodeGrid.zoneCount(nodes.length)}</span>
          </h2>
          <Rows rows={rows[at] ?? []} range={drawn.ranges[at]} {...{ always, drawn, card }} />
        </section>
      ))}
    </div>
  );
}

/** The node of whose card an element with this key is a part. */
function nodeOf(key: string, pods: Pods): string | undefined {
  const name = key.slice(key.indexOf(':') + 1);
  return key.startsWith('pod:') ? pods.get(name)?.node : name;
}

function targetOf(key: string, grid: HTMLElement, from: HTMLElement): HTMLElement | undefined {
  const stops = [...grid.querySelectorAll<HTMLElement>('[data-key]:not(:disabled)')];
  const at = stops.indexOf(from);
  switch (key) {
    case 'ArrowRight':
      return stops[at + 1];
    case 'ArrowLeft':
      return stops[at - 1];
    case 'Home':
      return stops[0];
    case 'End':
      return stops.at(-1);
    case 'ArrowDown':
    case 'ArrowUp': {
      const card = from.closest<HTMLElement>('.card');
      if (card === null) return undefined;
      const cards = [...grid.querySelectorAll<HTMLElement>('.card')];
      const boxes = cards.map(each => each.getBoundingClientRect());
      const index = nearest(boxes, card.getBoundingClientRect(), key === 'ArrowDown' ? 'down' : 'up');
      return index === undefined ? undefined : cards[index];
    }
    default:
      return undefined;
  }
}

function Legend() {
  const { legend } = strings.nodeGrid;
  return (
    <div class="legend">
      <ul>
        {(['running', 'placed', 'chosen', 'victim'] as const).map(kind => (
          <li key={kind}>
            {kind === 'victim' ? <Icon name="leave" /> : <span class={`swatch segment ${kind}`} aria-hidden="true" />}
            {legend[kind]}
          </li>
        ))}
      </ul>
      <p>{strings.nodeGrid.afterwards}</p>
    </div>
  );
}
