import { useState } from 'preact/hooks';
import type { PreviewNode, PreviewPod, PreviewResource } from '../../../../server/src/analysis/previewModel';
import { Icon, VERDICT_ICONS } from '../icons';
import { STATE_ICONS } from '../podList';
import {
  type CardVerdict,
  firstTiles,
  headAndTail,
  nameOf,
  type Pods,
  resourcesOf,
  segmentsOf,
  tilesOf,
} from '../state/selectors';
import { strings } from '../text/strings';
import { amount, resourceLabel, usedInWords } from '../text/units';
import { dragging } from './fit';
import { useNodeName } from './nodeNames';

interface CardProps {
  readonly node: PreviewNode;
  readonly pods: Pods;
  readonly gone: readonly PreviewPod[];
  readonly chosen: PreviewPod | undefined;
  readonly verdict: CardVerdict | undefined;
  /** Key of the one element of the board that Tab reaches; `all`: Tab goes through the card. */
  readonly stop: string;
  readonly onChoose: (pod: string) => void;
  readonly onTry: (change: NodeChange) => void;
}

const tabIndexOf = (stop: string, key: string): number => (stop === 'all' || stop === key ? 0 : -1);

export function Card(card: CardProps) {
  const { node, verdict, stop } = card;
  const key = `node:${node.name}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a card is no form, so no fieldset.
    <div
      class={`card ${verdict?.kind ?? 'none'}`}
      role="group"
      aria-label={summaryOf(node, verdict)}
      // The keyboard goes from card to card.
      tabIndex={stop === 'all' ? undefined : tabIndexOf(stop, key)}
      data-key={key}
      data-node={node.name}
    >
      <CardContent {...card} />
    </div>
  );
}

/** What keeps new Pods off a node as it is. */
export function statesOf(node: PreviewNode): readonly string[] {
  return [
    ...(node.ready ? [] : [strings.nodeGrid.notReady]),
    ...(node.unschedulable ? [strings.nodeGrid.cordoned] : []),
  ];
}

/** A node in one sentence: its verdict about the chosen Pod, and what is used of it. */
export function summaryOf(node: PreviewNode, verdict: CardVerdict | undefined): string {
  const parts = [
    node.name,
    ...statesOf(node),
    ...(verdict === undefined ? [] : [verdict.title, verdict.detail, verdict.words]),
    ...resourcesOf(node).map(
      ({ name, running, placed, allocatable }) =>
        `${resourceLabel(name)} ${usedInWords(name, running + placed, allocatable)}`,
    ),
  ];
  return parts.filter(Boolean).join(', ');
}

function CardContent({ node, pods, gone, chosen, verdict, stop, onChoose, onTry }: CardProps) {
  const folded = useNodeName();
  const resources = resourcesOf(node);
  const chosenHere = chosen?.node === node.name ? chosen : undefined;
  return (
    <>
      <h3 title={node.name}>
        {folded(node.name)}
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
        <ul class="taints" aria-label={strings.nodeGrid.taints}>
          {node.taints.map(taint => (
            <li key={taint} title={taint}>
              {taint}
            </li>
          ))}
        </ul>
      )}
      <Tiles node={node} pods={pods} gone={gone} chosen={chosen?.id} stop={stop} onChoose={onChoose} />
      <NodeTries node={node} stop={stop} onTry={onTry} />
    </>
  );
}

type NodeChange = 'nodeDown' | 'drain' | 'cordon';

const NODE_CHANGES: readonly NodeChange[] = ['nodeDown', 'drain', 'cordon'];

/** What could happen to a node. */
function NodeTries({ node, stop, onTry }: Pick<CardProps, 'node' | 'stop' | 'onTry'>) {
  const words = strings.whatIf.nodes;
  return (
    <span class="tries">
      {NODE_CHANGES.map(change => (
        <button
          key={change}
          type="button"
          aria-label={words[change].of(node.name)}
          title={words[change].of(node.name)}
          disabled={change === 'cordon' && node.unschedulable}
          tabIndex={tabIndexOf(stop, `${change}:${node.name}`)}
          data-key={`${change}:${node.name}`}
          onClick={() => onTry(change)}
        >
          {words[change].word}
        </button>
      ))}
    </span>
  );
}

function Verdict({ verdict }: { verdict: CardVerdict }) {
  return (
    <p class="verdict" title={[verdict.title, verdict.detail, verdict.words].filter(Boolean).join(': ')}>
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
      <span class="free">{usedInWords(name, running + placed, allocatable)}</span>
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
  if (all.length === 0) return <p class="quiet no-pods">{strings.nodeGrid.noPods}</p>;
  return (
    <ul class="tiles" aria-label={strings.nodeGrid.pods(node.name)}>
      {shown.map(pod => (
        <li key={pod.id} class={pod.state === 'victim' ? 'has-victim' : undefined}>
          <Tile
            pod={pod}
            pods={pods}
            isChosen={pod.id === chosen}
            tabIndex={tabIndexOf(stop, `pod:${pod.id}`)}
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
            tabIndex={stop === 'all' ? 0 : -1}
            data-key={moreKey}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? strings.nodeGrid.fewer : strings.nodeGrid.more(all.length - shown.length)}
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
  readonly tabIndex: number;
  readonly onChoose: (pod: string) => void;
}

function Tile({ pod, pods, isChosen, tabIndex, onChoose }: TileProps) {
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
      {...dragging(pod.id)}
      tabIndex={tabIndex}
      data-key={`pod:${pod.id}`}
      onClick={() => onChoose(pod.id)}
    >
      <Icon name={isChosen ? 'star' : STATE_ICONS[pod.state]} />
      <span class="name">
        <span class="head">{head}</span>
        <span class="tail">{tail}</span>
      </span>
      {/* Drawn by the style sheet: the label says it in a sentence. */}
      {by && <span class="by drawn" data-text={strings.tile.evictedFor(by)} />}
    </button>
  );
}
