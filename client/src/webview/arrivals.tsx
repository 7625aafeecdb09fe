import { useState } from 'preact/hooks';
import type { PreviewStep } from '../../../server/src/analysis/previewModel';
import { Icon } from './icons';
import { nameOf, type Pods } from './state/selectors';
import { arrivalsOver, stepsAfter } from './state/timeline';
import { movedTo } from './state/whatIf';
import { arrivalWords as words } from './text/arrivalStrings';

interface Props {
  /** The order that is tried, all Pods. */
  readonly arrivals: readonly string[];
  readonly steps: readonly PreviewStep[];
  readonly pods: Pods;
  /** How many steps are over. */
  readonly position: number;
  readonly onPosition: (position: number) => void;
  readonly onOrder: (order: readonly string[]) => void;
}

/** The Pods in the order in which they arrive: a click shows the nodes after one, and each can be moved. */
export function Arrivals({ arrivals, steps, pods, position, onPosition, onOrder }: Props) {
  const [dragged, setDragged] = useState<number | undefined>(undefined);
  const over = arrivalsOver(steps, position);
  const placed = new Set(steps.flatMap(it => (it.node === undefined ? [] : [it.pod])));
  const move = (from: number, to: number): void => {
    const next = movedTo(arrivals, from, to);
    if (next !== arrivals && from !== to) onOrder(next);
  };
  return (
    <ol class="arrivals" aria-label={words.label} title={words.explained}>
      {arrivals.map((pod, i) => {
        const name = nameOf(pod, pods);
        return (
          <li
            key={pod}
            class={`arrival${i < over ? ' is-over' : ''}${placed.has(pod) ? '' : ' is-stranded'}`}
            draggable
            onDragStart={() => setDragged(i)}
            onDragOver={event => event.preventDefault()}
            onDrop={event => {
              event.preventDefault();
              if (dragged !== undefined) move(dragged, i);
            }}
            onDragEnd={() => setDragged(undefined)}
          >
            <button
              type="button"
              aria-label={words.earlier(name)}
              title={words.earlier(name)}
              aria-disabled={i === 0}
              data-key={`earlier:${pod}`}
              onClick={() => move(i, i - 1)}
            >
              <Icon name="back" />
            </button>
            <button
              type="button"
              class="pod"
              aria-current={i === over - 1 ? 'step' : undefined}
              aria-label={words.goTo(i + 1, name)}
              data-key={`arrival:${pod}`}
              onClick={() => onPosition(stepsAfter(steps, i + 1))}
            >
              {i + 1}. {name} {!placed.has(pod) && <Icon name="wait" />}
            </button>
            <button
              type="button"
              aria-label={words.later(name)}
              title={words.later(name)}
              aria-disabled={i === arrivals.length - 1}
              data-key={`later:${pod}`}
              onClick={() => move(i, i + 1)}
            >
              <Icon name="forth" />
            </button>
          </li>
        );
      })}
    </ol>
  );
}
