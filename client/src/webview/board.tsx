import { useMemo, useRef, useState } from 'preact/hooks';
import type { PreviewModel, PreviewPod } from '../../../server/src/analysis/preview';
import type { Attempt } from '../../../server/src/scheduler/result';
import { Card } from './card';
import { Icon } from './icons';
import { strings } from './strings';
import { type Try, withChange } from './tries';
import { nearest, type Pods, verdictOn, victimsByNode, zonesOf } from './view';

/** More cards than these are drawn when they come near. */
const MANY_CARDS = 60;

interface BoardProps {
  readonly model: PreviewModel;
  readonly pods: Pods;
  readonly chosen: PreviewPod | undefined;
  readonly attempt: Attempt | undefined;
  readonly victims: readonly string[];
  readonly onChoose: (pod: string) => void;
  readonly onTry: (change: Try) => void;
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
                  onTry={change => onTry(it => withChange(it, { do: change, node: node.name }))}
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
