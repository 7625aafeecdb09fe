import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PreviewModel, PreviewPod, PreviewRefusal } from '../../../server/src/analysis/previewModel';
import { Icon, type IconName } from './icons';
import { dragging } from './nodes/fit';
import { useNodeName } from './nodes/nodeNames';
import { VirtualRows } from './nodes/virtualRows';
import { Section } from './section';
import { useChoice } from './state/choice';
import { isParent, openedAll, type PodRow, placesOf, podOfRow, podRows, rowOf, treeStep } from './state/podRows';
import { headAndTail, outcomeOf, podGroups, podInWords, queuesOf, refusedPods } from './state/selectors';
import { strings } from './text/strings';

interface Props {
  readonly model: PreviewModel;
  readonly chosen: string | undefined;
  readonly onSelect: (pod: string) => void;
  readonly onChoose: (pod: string) => void;
}

/** Every Pod the simulation tried, in a section of its own. */
export function PodList(props: Props) {
  const queues = useMemo(() => queuesOf(props.model), [props.model]);
  return (
    <nav class="pods" aria-label={strings.list.label}>
      <Section
        name="pods"
        title={strings.list.title}
        about={queues && <span class="about">{strings.header.queues(queues)}</span>}
        atFirst="open"
      >
        <PodTree {...props} />
      </Section>
    </nav>
  );
}

/**
 * The Pods by what became of them and by workload, as a tree: arrow keys choose, and the extension hears of it once a held
 * key is released.
 */
function PodTree({ model, chosen, onSelect, onChoose }: Props) {
  const [filter, setFilter] = useState('');
  const [toggled, setToggled] = useToggled();
  const list = useRef<HTMLDivElement>(null);
  const groups = useMemo(() => podGroups(model, filter), [model, filter]);
  const refusals = useMemo(() => refusedPods(model, filter), [model, filter]);
  const rows = useMemo(
    () => podRows(groups, { toggled, isAllOpen: filter !== '' }, refusals),
    [groups, toggled, filter, refusals],
  );
  const places = useMemo(() => placesOf(rows), [rows]);
  const [focused, setFocused] = useState<string | undefined>(undefined);
  const selected = rowOf(rows, chosen);
  const stop = (rows.find(it => it.key === focused) ?? selected ?? rows[0])?.key;
  const toggle = (row: PodRow) => setToggled(withToggled(toggled, row.key));
  const keys = useTreeKeys(list, rows, {
    onSelect,
    onChoose,
    onFocus: setFocused,
    onToggle: toggle,
    onOpenAll: () => setToggled(openedAll(groups)),
  });
  return (
    <>
      <input
        type="search"
        class="filter"
        placeholder={strings.list.filter}
        aria-label={strings.list.filter}
        value={filter}
        spellcheck={false}
        onInput={event => setFilter(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown' || rows.length === 0) return;
          event.preventDefault();
          keys.goTo(rows.findIndex(it => it.key === stop));
        }}
      />
      <div
        class="list"
        role="tree"
        aria-label={strings.list.label}
        data-scroller="list"
        tabIndex={-1}
        ref={list}
        onKeyDown={keys.onKeyDown}
        onKeyUp={keys.onKeyUp}
      >
        <VirtualRows
          count={rows.length}
          height={ROW_HEIGHT}
          scroller={list}
          always={rows.findIndex(it => it.key === stop)}
        >
          {index => {
            const row = rows[index]!;
            return (
              <TreeRow
                key={row.key}
                {...{ row, model }}
                isSelected={row === selected}
                isStop={row.key === stop}
                place={places.get(row)!}
                onPress={() => {
                  setFocused(row.key);
                  if (isParent(row)) toggle(row);
                  const isOpened = row.kind === 'workload' && !row.isOpen;
                  const pod = isOpened || !isParent(row) ? podOfRow(row) : undefined;
                  if (pod !== undefined) onChoose(pod);
                }}
              />
            );
          }}
        </VirtualRows>
      </div>
      {rows.length === 0 && <p class="hint">{filter === '' ? nothingIn(model) : strings.list.noMatch(filter)}</p>}
    </>
  );
}

/** As the style sheet has it. */
const ROW_HEIGHT = 22;

/** Beyond this many, rows are not remembered as they were left. */
const MOST_KEPT = 500;

function useToggled(): readonly [ReadonlySet<string>, (next: ReadonlySet<string>) => void] {
  const [text, setText] = useChoice('rows', '');
  const toggled = useMemo(() => new Set(text === '' ? [] : text.split('\n')), [text]);
  return [toggled, next => setText([...next].slice(-MOST_KEPT).join('\n'))];
}

function withToggled(toggled: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(toggled);
  if (!next.delete(key)) next.add(key);
  return next;
}

interface TreeActions extends Pick<Props, 'onSelect' | 'onChoose'> {
  readonly onFocus: (key: string) => void;
  readonly onToggle: (row: PodRow) => void;
  readonly onOpenAll: () => void;
}

/** Keys that go through the tree. What is out of sight is drawn, and gets the focus, once it is the one to reach with Tab. */
function useTreeKeys(
  list: { readonly current: HTMLElement | null },
  rows: readonly PodRow[],
  { onSelect, onChoose, onFocus, onToggle, onOpenAll }: TreeActions,
) {
  const passing = useRef<string | undefined>(undefined);
  const toFocus = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    const key = toFocus.current;
    if (key === undefined) return;
    toFocus.current = undefined;
    list.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
  });
  const goTo = (index: number, isHeld = false) => {
    const row = rows[index];
    if (row === undefined) return;
    toFocus.current = row.key;
    onFocus(row.key);
    const pod = row.kind === 'group' ? undefined : podOfRow(row);
    if (pod === undefined) return;
    if (isHeld) passing.current = pod;
    (isHeld ? onSelect : onChoose)(pod);
  };
  return {
    goTo,
    onKeyDown(event: KeyboardEvent) {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const at = rows.findIndex(it => it.key === (event.target as HTMLElement).dataset.key);
      const step = treeStep(event.key, at, rows);
      if (step === undefined) return;
      event.preventDefault();
      if (step === 'openAll') return onOpenAll();
      if ('to' in step) return goTo(step.to, event.repeat);
      const row = rows[step.toggle];
      if (row) onToggle(row);
    },
    onKeyUp() {
      if (passing.current === undefined) return;
      onChoose(passing.current);
      passing.current = undefined;
    },
  };
}

interface RowProps {
  readonly row: PodRow;
  readonly model: PreviewModel;
  readonly isSelected: boolean;
  readonly isStop: boolean;
  /** Which of how many it is: others may not be drawn. */
  readonly place: readonly [number, number];
  readonly onPress: () => void;
}

function TreeRow({ row, model, isSelected, isStop, place, onPress }: RowProps) {
  const label = inWords(row, model);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it handles the keys.
    <div
      class={`option level-${row.level} is-${stateOf(row)}`}
      role="treeitem"
      aria-level={row.level}
      aria-selected={isSelected}
      aria-expanded={isParent(row) ? row.isOpen : undefined}
      aria-posinset={place[0]}
      aria-setsize={place[1]}
      aria-label={label}
      title={label}
      tabIndex={isStop ? 0 : -1}
      data-key={row.key}
      {...(row.kind === 'pod' && dragging(row.pod.id))}
      onClick={onPress}
    >
      {isParent(row) && <Icon name={row.isOpen ? 'down' : 'forth'} />}
      <RowContent row={row} model={model} />
    </div>
  );
}

function RowContent({ row, model }: Pick<RowProps, 'row' | 'model'>) {
  const folded = useNodeName();
  if (row.kind === 'group') {
    return (
      <>
        <strong>{strings.list.groups[row.group]}</strong>
        <span class="badge drawn" data-text={row.count} />
      </>
    );
  }
  if (row.kind === 'refusal') return <RefusalContent refusal={row.refusal} />;
  const [head, tail] = headAndTail(row.kind === 'pod' ? row.pod.name : row.name);
  const pod = row.kind === 'pod' ? row.pod : row.pods[0]!;
  return (
    <>
      <Icon name={STATE_ICONS[pod.state]} />
      <span class="name">
        <span class="head">{head}</span>
        <span class="tail">{tail}</span>
      </span>
      {row.kind === 'workload' && <span class="times drawn" data-text={strings.list.times(row.count)} />}
      {/* Drawn by the style sheet: the label says it in a sentence. */}
      <span
        class="outcome drawn"
        data-text={row.kind === 'pod' ? shortOutcome(pod, model, folded) : together(row.pods, model, folded)}
      />
    </>
  );
}

function RefusalContent({ refusal: { owner, name, pods, by } }: { readonly refusal: PreviewRefusal }) {
  const [head, tail] = headAndTail((owner ?? name).replace(/^.*\//, ''));
  return (
    <>
      <Icon name="block" />
      <span class="name">
        <span class="head">{head}</span>
        <span class="tail">{tail}</span>
      </span>
      {pods > 1 && <span class="times drawn" data-text={strings.list.times(pods)} />}
      <span class="outcome drawn" data-text={strings.refused.short[by]} />
    </>
  );
}

function stateOf(row: PodRow): string {
  if (row.kind === 'refusal') return 'refused';
  return row.kind === 'pod' ? row.pod.state : (row.pods[0]?.state ?? 'refused');
}

function shortOutcome(pod: PreviewPod, model: PreviewModel, folded: (name: string) => string): string {
  if (pod.state === 'victim' && pod.evictedBy !== undefined) {
    return strings.tile.evictedFor(pod.evictedBy.slice(pod.evictedBy.indexOf('/') + 1));
  }
  return pod.node === undefined ? outcomeOf(pod, model.attempts[pod.id]) : folded(pod.node);
}

/** Where the Pods of a workload are, or why they wait. */
function together(pods: readonly PreviewPod[], model: PreviewModel, folded: (name: string) => string): string {
  const nodes = new Set(pods.flatMap(it => it.node ?? []));
  const [first] = pods;
  if (nodes.size > 1 && first?.state !== 'victim') return strings.list.nodes(nodes.size);
  return first === undefined ? '' : shortOutcome(first, model, folded);
}

function inWords(row: PodRow, model: PreviewModel): string {
  if (row.kind === 'group') return strings.list.group(strings.list.groups[row.group], row.count);
  if (row.kind === 'pod') return podInWords(row.pod, model.attempts[row.pod.id]);
  if (row.kind === 'refusal') {
    const { namespace, owner, name, pods, reason } = row.refusal;
    return strings.refused.row(`${namespace}/${owner ?? name}`, pods, reason);
  }
  const where = together(row.pods, model, it => it);
  return strings.list.workload(row.pods[0]?.owner ?? row.name, row.count, where);
}

export const STATE_ICONS: Readonly<Record<PreviewPod['state'], IconName>> = {
  running: 'dot',
  placed: 'plus',
  pending: 'ring',
  victim: 'leave',
};

const nothingIn = ({ trail }: PreviewModel): string => (trail ? strings.empty.noneWaits : strings.empty.noPods);
