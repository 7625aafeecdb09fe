import { useMemo, useRef, useState } from 'preact/hooks';
import type {
  PreviewModel,
  PreviewNode,
  PreviewPod,
  PreviewResource,
  WhatIf,
} from '../../../server/src/analysis/preview';
import type { Attempt } from '../../../server/src/scheduler/result';
import { Icon, type IconName, VERDICT_ICONS } from './icons';
import { useNear } from './near';
import { STATE_ICONS } from './podList';
import { strings } from './strings';
import { triedIn, withChange } from './tries';
import { amount, freeInWords, resourceLabel } from './units';
import {
  type CardVerdict,
  firstTiles,
  headAndTail,
  nameOf,
  nearest,
  type Pods,
  resourcesOf,
  segmentsOf,
  tilesOf,
  verdictOn,
  victimsByNode,
  zonesOf,
} from './view';

interface BoardProps {
  readonly model: PreviewModel;
  readonly pods: Pods;
  readonly chosen: PreviewPod | undefined;
  readonly attempt: Attempt | undefined;
  readonly victims: readonly string[];
  readonly onChoose: (pod: string) => void;
  readonly onTry: (whatIf: WhatIf) => void;
}

/** The nodes by zone. One tab stop: left and right go through cards and tiles, up and down from card to card. */
export function Board({ model, pods, chosen, attempt, victims, onChoose, onTry }: BoardProps) {
  const zones = useMemo(() => zonesOf(model.nodes), [model]);
  const gone = useMemo(() => victimsByNode(model), [model]);
  const [focused, setFocused] = useState<string | undefined>(undefined);
  const board = useRef<HTMLElement>(null);
  const stop =
    focused !== undefined && exists(focused, model, pods) ? focused : `node:${zones[0]?.nodes[0]?.name ?? ''}`;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || board.current === null) return;
    const target = targetOf(event.key, board.current, event.target as HTMLElement);
    if (target === undefined) return;
    event.preventDefault();
    target.focus();
    target.scrollIntoView({ block: 'nearest' });
  };

  return (
    // Arrow keys move the focus among the cards and tiles inside.
    <section
      class="board"
      aria-label={strings.board.label}
      data-scroller="board"
      ref={board}
      onKeyDown={onKeyDown}
      onFocusIn={({ target }) => {
        const key = target instanceof HTMLElement ? target.dataset.key : undefined;
        if (key !== undefined) setFocused(key);
      }}
    >
      <Legend />
      <div class="zones">
        {zones.map(zone => (
          <section class="zone" key={zone.name} aria-label={strings.board.zone(zone.name)}>
            <h2>
              {strings.board.zone(zone.name)} <span class="quiet">{strings.board.zoneCount(zone.nodes.length)}</span>
            </h2>
            <div class="cards">
              {zone.nodes.map(node => (
                <Card
                  key={node.name}
                  node={node}
                  pods={pods}
                  gone={gone.get(node.name) ?? []}
                  chosen={chosen}
                  verdict={chosen && verdictOn(node.name, chosen, attempt, pods, victims)}
                  stop={stop}
                  drawn={model.nodes.length > MANY_CARDS ? 'whenNear' : 'always'}
                  onChoose={onChoose}
                  onTry={change => onTry(withChange(triedIn(model), { do: change, node: node.name }))}
                />
              ))}
            </div>
          </section>
        ))}
      </div>
    </section>
  );
}

function exists(key: string, model: PreviewModel, pods: Pods): boolean {
  if (key.startsWith('pod:')) {
    const pod = pods.get(key.slice('pod:'.length));
    return pod?.node !== undefined && model.nodes.some(node => node.name === pod.node);
  }
  return model.nodes.some(node => key.slice(key.indexOf(':') + 1) === node.name);
}

function targetOf(key: string, board: HTMLElement, from: HTMLElement): HTMLElement | undefined {
  const stops = [...board.querySelectorAll<HTMLElement>('[data-key]:not(:disabled)')];
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
      const cards = [...board.querySelectorAll<HTMLElement>('.card')];
      const boxes = cards.map(each => each.getBoundingClientRect());
      const index = nearest(boxes, card.getBoundingClientRect(), key === 'ArrowDown' ? 'down' : 'up');
      return index === undefined ? undefined : cards[index];
    }
    default:
      return undefined;
  }
}

function Legend() {
  const { legend } = strings.board;
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
      <p>{strings.board.afterwards}</p>
    </div>
  );
}

interface CardProps {
  readonly node: PreviewNode;
  readonly pods: Pods;
  readonly gone: readonly PreviewPod[];
  readonly chosen: PreviewPod | undefined;
  readonly verdict: CardVerdict | undefined;
  /** Key of the one element of the board that Tab reaches. */
  readonly stop: string;
  readonly onChoose: (pod: string) => void;
  readonly onTry: (change: NodeChange) => void;
}

/** A node's card; where there are many, one that is far out of sight is only its name and its place. */
function Card({ drawn, ...card }: CardProps & { readonly drawn: 'always' | 'whenNear' }) {
  const { ref, isNear, height } = useNear(drawn);
  const { node, verdict, stop } = card;
  const key = `node:${node.name}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a card is no form, so no fieldset.
    <div
      class={`card ${verdict?.kind ?? 'none'}`}
      role="group"
      aria-label={isNear ? summaryOf(node, verdict) : node.name}
      // The keyboard goes from card to card.
      tabIndex={stop === key ? 0 : -1}
      data-key={key}
      ref={ref}
      style={isNear ? undefined : { height: `${height ?? USUAL_HEIGHT}px` }}
    >
      {isNear ? <CardContent {...card} /> : <h3>{node.name}</h3>}
    </div>
  );
}

/** What a card takes before it is drawn for the first time, in pixels. */
const USUAL_HEIGHT = 220;

/** More cards than these are drawn when they come near. */
const MANY_CARDS = 60;

function statesOf(node: PreviewNode): readonly string[] {
  return [...(node.ready ? [] : [strings.board.notReady]), ...(node.unschedulable ? [strings.board.cordoned] : [])];
}

function summaryOf(node: PreviewNode, verdict: CardVerdict | undefined): string {
  const parts = [
    node.name,
    ...statesOf(node),
    ...(verdict === undefined ? [] : [verdict.title, verdict.detail]),
    ...resourcesOf(node).map(
      ({ name, running, placed, allocatable }) =>
        `${resourceLabel(name)} ${freeInWords(name, running + placed, allocatable)}`,
    ),
  ];
  return parts.filter(Boolean).join(', ');
}

function CardContent({ node, pods, gone, chosen, verdict, stop, onChoose, onTry }: CardProps) {
  const resources = resourcesOf(node);
  const chosenHere = chosen?.node === node.name ? chosen : undefined;
  return (
    <>
      <NodeTries node={node} stop={stop} onTry={onTry} />
      <h3 title={node.name}>
        {node.name}
        {statesOf(node).map(state => (
          <span class="state" key={state}>
            <Icon name="warning" />
            {state}
          </span>
        ))}
      </h3>
      {verdict && <Verdict verdict={verdict} />}
      <div class="bars">
        {resources.map(resource => (
          <Bar key={resource.name} resource={resource} chosenHere={chosenHere} />
        ))}
      </div>
      {node.taints.length > 0 && (
        <ul class="taints" aria-label={strings.board.taints}>
          {node.taints.map(taint => (
            <li key={taint} title={taint}>
              {taint}
            </li>
          ))}
        </ul>
      )}
      <Tiles node={node} pods={pods} gone={gone} chosen={chosen?.id} stop={stop} onChoose={onChoose} />
    </>
  );
}

type NodeChange = 'nodeDown' | 'drain' | 'cordon';

const NODE_CHANGES = [
  ['nodeDown', 'power', strings.tries.nodeDownOf],
  ['drain', 'leave', strings.tries.drainOf],
  ['cordon', 'block', strings.tries.cordonOf],
] as const satisfies readonly (readonly [NodeChange, IconName, (node: string) => string])[];

/** What could happen to a node. */
function NodeTries({ node, stop, onTry }: Pick<CardProps, 'node' | 'stop' | 'onTry'>) {
  return (
    <span class="tries">
      {NODE_CHANGES.map(([change, icon, words]) => (
        <button
          key={change}
          type="button"
          aria-label={words(node.name)}
          title={words(node.name)}
          disabled={change === 'cordon' && node.unschedulable}
          tabIndex={stop === `${change}:${node.name}` ? 0 : -1}
          data-key={`${change}:${node.name}`}
          onClick={() => onTry(change)}
        >
          <Icon name={icon} />
        </button>
      ))}
    </span>
  );
}

function Verdict({ verdict }: { verdict: CardVerdict }) {
  return (
    <p class="verdict" title={[verdict.title, verdict.detail].filter(Boolean).join(': ')}>
      <Icon name={VERDICT_ICONS[verdict.kind]} />
      <span>
        <strong>{verdict.title}</strong>
        {verdict.detail !== '' && <span class="why">{verdict.detail}</span>}
      </span>
    </p>
  );
}

function Bar({ resource, chosenHere }: { resource: PreviewResource; chosenHere: PreviewPod | undefined }) {
  const { name, running, placed, allocatable } = resource;
  const segments = segmentsOf(resource, chosenHere);
  const whole = Math.max(allocatable, running + placed);
  const isOver = running + placed > allocatable;
  const own = segments.find(segment => segment.kind === 'chosen');
  const breakdown =
    strings.resource.breakdown(name, amount(name, running), amount(name, placed), amount(name, allocatable)) +
    (own === undefined ? '' : strings.resource.breakdownChosen(amount(name, own.amount)));
  return (
    <div class={isOver ? 'bar over' : 'bar'} title={breakdown}>
      <span class="what">{resourceLabel(name)}</span>
      <span class="free">{freeInWords(name, running + placed, allocatable)}</span>
      <span class="track" aria-hidden="true">
        {segments.map(segment => (
          <span
            key={segment.kind}
            class={`segment ${segment.kind}`}
            style={{ width: `${(100 * segment.amount) / whole}%` }}
          />
        ))}
      </span>
    </div>
  );
}

/** Beyond this many a card shows how many there are more. */
const TILES = 8;

interface TilesProps {
  readonly node: PreviewNode;
  readonly pods: Pods;
  readonly gone: readonly PreviewPod[];
  readonly chosen: string | undefined;
  readonly stop: string;
  readonly onChoose: (pod: string) => void;
}

function Tiles({ node, pods, gone, chosen, stop, onChoose }: TilesProps) {
  const [isOpen, setOpen] = useState(false);
  const all = tilesOf(node, pods, gone);
  const shown = isOpen ? all : firstTiles(all, chosen, TILES);
  const moreKey = `more:${node.name}`;
  if (all.length === 0) return <p class="quiet no-pods">{strings.board.noPods}</p>;
  return (
    <ul class="tiles" aria-label={strings.board.pods(node.name)}>
      {shown.map(pod => (
        <li key={pod.id}>
          <Tile
            pod={pod}
            pods={pods}
            isChosen={pod.id === chosen}
            isStop={stop === `pod:${pod.id}`}
            onChoose={onChoose}
          />
        </li>
      ))}
      {(isOpen ? all.length > TILES + 1 : shown.length < all.length) && (
        <li>
          <button
            type="button"
            class="tile more"
            aria-expanded={isOpen}
            tabIndex={-1}
            data-key={moreKey}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? strings.board.fewer : strings.board.more(all.length - shown.length)}
          </button>
        </li>
      )}
    </ul>
  );
}

interface TileProps {
  readonly pod: PreviewPod;
  readonly pods: Pods;
  readonly isChosen: boolean;
  readonly isStop: boolean;
  readonly onChoose: (pod: string) => void;
}

function Tile({ pod, pods, isChosen, isStop, onChoose }: TileProps) {
  const [head, tail] = headAndTail(pod.name);
  const by = pod.evictedBy && nameOf(pod.evictedBy, pods);
  const label = pod.state === 'victim' ? strings.tile.victim(pod.id, by) : strings.tile[pod.state](pod.id);
  return (
    <button
      type="button"
      class={`tile is-${pod.state}`}
      aria-label={label}
      aria-pressed={isChosen}
      title={[label, ...(pod.priority === 0 ? [] : [strings.tile.priority(pod.priority)])].join(', ')}
      tabIndex={isStop ? 0 : -1}
      data-key={`pod:${pod.id}`}
      onClick={() => onChoose(pod.id)}
    >
      <Icon name={isChosen ? 'star' : STATE_ICONS[pod.state]} />
      <span class="name">
        <span class="head">{head}</span>
        <span class="tail">{tail}</span>
      </span>
      {by && <span class="by">{strings.tile.evictedFor(by)}</span>}
    </button>
  );
}
