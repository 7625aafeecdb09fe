import { Fragment } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { PreviewModel, PreviewPod, PreviewWhy } from '../../../server/src/analysis/previewModel';
import type { Attempt, PluginScore } from '../../../server/src/scheduler/result';
import { Icon } from './icons';
import { TryOnMenu } from './nodes/fit';
import {
  againOf,
  asksOf,
  nameOf,
  nextSorting,
  type Pods,
  rejectedCount,
  rejectedGroups,
  type ScoreRow,
  type Sorting,
  scoreTable,
  sortRows,
  words,
} from './state/selectors';
import type { WhatIfStep } from './state/whatIf';
import { strings } from './text/strings';
import { Why } from './why';
import { WorkloadTries } from './workloads';

interface Props {
  readonly model: PreviewModel;
  readonly why: PreviewWhy | undefined;
  readonly onTry: (change: WhatIfStep) => void;
  readonly onApply: (suggestion: number) => void;
  readonly onExplain: () => void;
  readonly pod: PreviewPod;
  readonly attempt: Attempt | undefined;
  readonly victims: readonly string[];
  readonly pods: Pods;
  readonly onChoose: (pod: string) => void;
}

/** Why the chosen Pod ended where it did: message, rejections, preemption, scores. */
export function Details({ model, pod, attempt, victims, pods, why, onChoose, onTry, onApply, onExplain }: Props) {
  return (
    <section
      class="details"
      aria-label={strings.details.label(pod.name)}
      data-key="details"
      data-scroller="details"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach what scrolls.
      tabIndex={0}
    >
      <Facts model={model} pod={pod} attempt={attempt} onTry={onTry} />
      {againOf(pod) !== '' && <p class="hint again">{againOf(pod)}</p>}
      <div class="columns">
        <Scores pod={pod} attempt={attempt} />
        <div class="why-not">
          {why?.pod === pod.id && <Why why={why} onApply={onApply} />}
          {why?.pod !== pod.id && model.whyIsSlow && (
            <button type="button" class="secondary" onClick={onExplain}>
              {strings.why.ask}
            </button>
          )}
          <Unscored attempt={attempt} />
          <Message attempt={attempt} />
          <Preemption attempt={attempt} victims={victims} pods={pods} onChoose={onChoose} />
          <Rejected attempt={attempt} />
        </div>
      </div>
    </section>
  );
}

function Facts({ model, pod, attempt, onTry }: Pick<Props, 'model' | 'pod' | 'attempt' | 'onTry'>) {
  const words = strings.details;
  const workload = model.workloads.find(it => it.pods.includes(pod.id));
  return (
    <ul class="pod-facts">
      <li>
        <strong>{pod.name}</strong>
      </li>
      <li>{words.namespace(pod.namespace)}</li>
      {pod.owner !== undefined && <li>{words.owner(pod.owner)}</li>}
      <li>{words.priority(pod.priority)}</li>
      <li>{asksOf(pod)}</li>
      {attempt !== undefined && attempt.attempt > 1 && <li>{words.secondAttempt}</li>}
      {model.nodes.length > 0 && (
        <li>
          <TryOnMenu pod={pod} nodes={model.nodes} />
        </li>
      )}
      {workload && (
        <li>
          <WorkloadTries workload={workload} model={model} onTry={onTry} />
        </li>
      )}
    </ul>
  );
}

function Unscored({ attempt }: { attempt: Attempt | undefined }) {
  if (attempt === undefined) return <p class="hint">{strings.details.nothingMore}</p>;
  const [first, second] = attempt.nodes?.filter(each => each.verdict === 'feasible') ?? [];
  return first !== undefined && second === undefined ? (
    <p class="hint">{strings.details.unscoredOne(first.node)}</p>
  ) : null;
}

function Message({ attempt }: { attempt: Attempt | undefined }) {
  const message = attempt?.message ?? attempt?.preFilterRejection?.reasons.join('; ');
  if (attempt === undefined || message === undefined) return null;
  const isEvent = attempt.message !== undefined && (attempt.status === 'unschedulable' || attempt.status === 'error');
  return (
    <section class="block">
      <h2>{isEvent ? strings.details.message : strings.details.otherMessage}</h2>
      <p class="message">{message}</p>
    </section>
  );
}

function Preemption({ attempt, victims, pods, onChoose }: Pick<Props, 'attempt' | 'victims' | 'pods' | 'onChoose'>) {
  const node = attempt?.preemption?.nominatedNode ?? attempt?.node;
  const message = attempt?.preemption?.message;
  const isDone = attempt?.status === 'scheduled';
  const said = message !== undefined && attempt?.message?.includes(message) ? undefined : message;
  if (victims.length === 0 && said === undefined) return null;
  return (
    <section class="block">
      <h2>{strings.details.preemption}</h2>
      {said !== undefined && <p class="message">{said}</p>}
      {victims.length > 0 && (
        <>
          <p>
            {isDone
              ? strings.details.preemptionText(node ?? '?', victims.length)
              : strings.details.preemptionWaiting(node ?? '?', victims.length)}
          </p>
          <ol class="victims">
            {victims.map(id => (
              <li key={id}>
                <button type="button" class="link" title={id} onClick={() => onChoose(id)} disabled={!pods.has(id)}>
                  <Icon name="leave" />
                  <s>{nameOf(id, pods)}</s>
                </button>{' '}
                <span class="quiet">{strings.tile.priority(pods.get(id)?.priority ?? 0)}</span>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function Rejected({ attempt }: { attempt: Attempt | undefined }) {
  const groups = useMemo(() => rejectedGroups(attempt), [attempt]);
  if (groups.length === 0) return null;
  return (
    <section class="block">
      <h2>{strings.details.rejected(rejectedCount(attempt))}</h2>
      <ul class="rejected">
        {groups.map(group => (
          <li key={`${group.plugin} ${group.reason}`}>
            <Icon name={group.plugin === undefined ? 'dash' : 'cross'} />
            <span>
              {group.plugin !== undefined && <strong>{group.plugin}: </strong>}
              {group.reason}
              <span class="quiet">
                {' '}
                · {strings.details.rejectedHere(group.nodes.length)}
                {group.plugin !== undefined && group.unresolvable && ` · ${strings.details.unresolvable}`}
              </span>
              <span class="nodes">
                {group.nodes.map((node, index) => (
                  <Fragment key={node}>
                    <span>{index < group.nodes.length - 1 ? `${node},` : node}</span>{' '}
                  </Fragment>
                ))}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** More rows than these are drawn when somebody wants them. */
const FIRST_ROWS = 40;

function Scores({ pod, attempt }: { pod: PreviewPod; attempt: Attempt | undefined }) {
  const [sorting, setSorting] = useState<Sorting>({ column: 'total', direction: 'descending' });
  const table = useMemo(() => scoreTable(attempt), [attempt]);
  const rows = useMemo(() => sortRows(table.rows, sorting), [table, sorting]);
  const [all, setAll] = useState<Attempt | undefined>(undefined);
  const shown = all === attempt ? rows : rows.slice(0, FIRST_ROWS);
  const onSort = (column: string) => setSorting(nextSorting(sorting, column));
  if (rows.length === 0) return null;
  return (
    <section class="block scores">
      <h2>
        {strings.details.scores} <span class="quiet">{strings.details.cellKey}</span>
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach what scrolls. */}
      <section class="table" data-scroller="scores" tabIndex={0} aria-label={strings.details.scores}>
        <table>
          <caption class="sr-only">{strings.details.scoresCaption(pod.name)}</caption>
          <thead>
            <tr>
              <Column name="node" label={strings.details.node} sorting={sorting} onSort={onSort} />
              <Column name="total" label={strings.details.total} sorting={sorting} onSort={onSort} />
              {table.plugins.map(plugin => (
                <Column key={plugin} name={plugin} label={plugin} sorting={sorting} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(row => (
              <Row key={row.node} row={row} plugins={table.plugins} />
            ))}
          </tbody>
        </table>
        {shown.length < rows.length && (
          <button type="button" class="link" onClick={() => setAll(attempt)}>
            {strings.nodeGrid.more(rows.length - shown.length)}
          </button>
        )}
      </section>
    </section>
  );
}

interface ColumnProps {
  readonly name: string;
  readonly label: string;
  readonly sorting: Sorting;
  readonly onSort: (column: string) => void;
}

function Column({ name, label, sorting, onSort }: ColumnProps) {
  const isSorted = sorting.column === name;
  return (
    <th scope="col" class={name === 'node' ? 'node' : ''} aria-sort={isSorted ? sorting.direction : 'none'}>
      <button type="button" class="sort" title={strings.details.sortBy(label)} onClick={() => onSort(name)}>
        <span>
          {words(label).map((word, index) => (
            <Fragment key={word + index}>
              {index > 0 && <wbr />}
              {word}
            </Fragment>
          ))}
        </span>
        <span class={isSorted ? 'arrow' : 'arrow idle'}>
          <Icon name={isSorted && sorting.direction === 'ascending' ? 'up' : 'down'} />
        </span>
      </button>
    </th>
  );
}

function Row({ row, plugins }: { row: ScoreRow; plugins: readonly string[] }) {
  return (
    <tr class={row.mark ?? ''}>
      <th scope="row" class="node" title={row.node}>
        <span class="mark">{row.mark && <Icon name={row.mark === 'winner' ? 'star' : 'equal'} />}</span>
        {row.node}
        {row.mark && <span class="sr-only">, {strings.details[row.mark]}</span>}
      </th>
      <td class="total">{row.total}</td>
      {plugins.map(plugin => (
        <Cell key={plugin} score={row.scores[plugin]} />
      ))}
    </tr>
  );
}

function Cell({ score }: { score: PluginScore | undefined }) {
  if (score === undefined) {
    return (
      <td class="skipped">
        <span aria-hidden="true">–</span>
        <span class="sr-only">{strings.details.skipped}</span>
      </td>
    );
  }
  const { weighted, raw, normalized } = score;
  const label = strings.details.cell(weighted, raw, normalized);
  return (
    <td title={label}>
      <span aria-hidden="true">
        {weighted}
        <small>{strings.details.cellSmall(raw, normalized)}</small>
      </span>
      <span class="sr-only">{label}</span>
    </td>
  );
}
