import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PreviewModel, PreviewPod } from '../../../server/src/analysis/previewModel';
import type { Attempt } from '../../../server/src/scheduler/result';
import { Icon, type IconName } from './icons';
import { VirtualRows } from './nodes/virtualRows';
import { headAndTail, outcomeOf, type PodListGroup, podGroups, podInWords } from './state/selectors';
import { strings } from './text/strings';

interface Props {
  readonly model: PreviewModel;
  readonly chosen: string | undefined;
  readonly onSelect: (pod: string) => void;
  readonly onChoose: (pod: string) => void;
}

/** Every Pod the simulation tried, as a list box: arrow keys choose, and the extension hears of it once a held key is released. */
export function PodList({ model, chosen, onSelect, onChoose }: Props) {
  const [filter, setFilter] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const groups = useMemo(() => podGroups(model, filter), [model, filter]);
  const ids = useMemo(() => groups.flatMap(group => group.pods.map(pod => pod.id)), [groups]);
  const stop = chosen !== undefined && ids.includes(chosen) ? chosen : ids[0];
  const { choose, onKeyDown, onKeyUp } = useListKeys(list, ids, { onSelect, onChoose });
  return (
    <nav class="pods" aria-label={strings.list.label}>
      <input
        type="search"
        class="filter"
        placeholder={strings.list.filter}
        aria-label={strings.list.filter}
        value={filter}
        spellcheck={false}
        onInput={event => setFilter(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown' || stop === undefined) return;
          event.preventDefault();
          choose(stop);
        }}
      />
      <div
        class="list"
        role="listbox"
        aria-label={strings.list.label}
        data-scroller="list"
        tabIndex={-1}
        ref={list}
        onKeyDown={onKeyDown}
        onKeyUp={onKeyUp}
      >
        {groups.map(group => (
          <Group key={group.group} {...{ group, model, chosen, stop, list, onChoose }} count={ids.length} />
        ))}
      </div>
      {ids.length === 0 && <p class="hint">{filter === '' ? strings.empty.noPods : strings.list.noMatch(filter)}</p>}
    </nav>
  );
}

/** Keys that go through the list. What is out of sight is drawn, and gets the focus, once it is the chosen one. */
function useListKeys(
  list: { readonly current: HTMLElement | null },
  ids: readonly string[],
  { onSelect, onChoose }: Pick<Props, 'onSelect' | 'onChoose'>,
) {
  const passing = useRef<string | undefined>(undefined);
  const toFocus = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    const id = toFocus.current;
    if (id === undefined) return;
    toFocus.current = undefined;
    list.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(`list:${id}`)}"]`)?.focus();
  });
  const choose = (id: string) => {
    toFocus.current = id;
    onChoose(id);
  };
  const pass = (id: string) => {
    toFocus.current = id;
    passing.current = id;
    onSelect(id);
  };
  return {
    choose,
    onKeyDown(event: KeyboardEvent) {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const at = ids.findIndex(id => `list:${id}` === (event.target as HTMLElement).dataset.key);
      const to = targetOf(event.key, at, ids.length);
      if (to === undefined) return;
      event.preventDefault();
      const id = ids[to];
      if (id !== undefined) (event.repeat ? pass : choose)(id);
    },
    onKeyUp() {
      if (passing.current === undefined) return;
      onChoose(passing.current);
      passing.current = undefined;
    },
  };
}

interface GroupProps extends Pick<Props, 'model' | 'chosen' | 'onChoose'> {
  readonly group: PodListGroup;
  /** How many Pods there are in all groups. */
  readonly count: number;
  /** The Pod at which the keyboard enters the list. */
  readonly stop: string | undefined;
  readonly list: { readonly current: HTMLElement | null };
}

function Group({ group: { group, pods, start }, model, chosen, stop, count, list, onChoose }: GroupProps) {
  const name = strings.list.groups[group];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list box.
    <div role="group" aria-label={`${name} (${pods.length})`}>
      <div class="group" aria-hidden="true">
        {name} <span class="badge">{pods.length}</span>
      </div>
      <VirtualRows
        count={pods.length}
        height={OPTION_HEIGHT}
        scroller={list}
        always={pods.findIndex(it => it.id === stop)}
      >
        {index => {
          const pod = pods[index]!;
          return (
            <Option
              key={pod.id}
              pod={pod}
              attempt={model.attempts[pod.id]}
              isChosen={pod.id === chosen}
              isStop={pod.id === stop}
              position={[start + index + 1, count]}
              onChoose={onChoose}
            />
          );
        }}
      </VirtualRows>
    </div>
  );
}

/** As the style sheet has it. */
const OPTION_HEIGHT = 22;

interface OptionProps {
  readonly pod: PreviewPod;
  readonly attempt: Attempt | undefined;
  readonly isChosen: boolean;
  readonly isStop: boolean;
  /** Which of how many it is: others may not be drawn. */
  readonly position: readonly [number, number];
  readonly onChoose: (pod: string) => void;
}

function Option({ pod, attempt, isChosen, isStop, position, onChoose }: OptionProps) {
  const [head, tail] = headAndTail(pod.name);
  const label = podInWords(pod, attempt);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box around it handles the keys.
    <div
      class={`option is-${pod.state}`}
      role="option"
      aria-selected={isChosen}
      aria-posinset={position[0]}
      aria-setsize={position[1]}
      aria-label={label}
      title={label}
      tabIndex={isStop ? 0 : -1}
      data-key={`list:${pod.id}`}
      onClick={() => onChoose(pod.id)}
    >
      <Icon name={STATE_ICONS[pod.state]} />
      <span class="name">
        <span class="head">{head}</span>
        <span class="tail">{tail}</span>
      </span>
      {/* Drawn by the style sheet: the label says it in a sentence. */}
      <span class="outcome" data-text={outcomeOf(pod, attempt)} />
    </div>
  );
}

export const STATE_ICONS: Readonly<Record<PreviewPod['state'], IconName>> = {
  running: 'dot',
  placed: 'plus',
  pending: 'ring',
  victim: 'leave',
};

/** Index to which a key leads from `at` (-1: from outside); undefined for a key that does not move. */
function targetOf(key: string, at: number, count: number): number | undefined {
  const last = count - 1;
  switch (key) {
    case 'ArrowDown':
      return Math.min(at + 1, last);
    case 'ArrowUp':
      return Math.max(at - 1, 0);
    case 'PageDown':
      return Math.min(at + 10, last);
    case 'PageUp':
      return Math.max(at - 10, 0);
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'Enter':
    case ' ':
      return Math.max(at, 0);
    default:
      return undefined;
  }
}
