import { useMemo } from 'preact/hooks';
import type { PreviewModel, PreviewWorkload } from '../../../server/src/analysis/previewModel';
import { foldedNames } from '../../../server/src/text/foldedNames';
import { ColumnHeads } from './columnHeads';
import { Icon } from './icons';
import { useNodeName } from './nodes/nodeNames';
import { Scale } from './scale';
import { objectOf, scaled, triedIn, type WhatIfStep, withChange } from './state/whatIf';
import { listed, strings } from './text/strings';

interface Props {
  readonly model: PreviewModel;
  readonly chosen: string | undefined;
  readonly onTry: (change: WhatIfStep) => void;
  readonly onChoose: (pod: string) => void;
}

/** So many names of zones are told; the rest is counted. */
const NAMES = 3;

/** All workloads of the environment, one a row. */
export function Workloads({ model, chosen, onTry, onChoose }: Props) {
  const words = strings.workloads;
  const zoneName = useMemo(() => foldedNames(model.nodes.map(it => it.zone).filter(it => it !== '')), [model.nodes]);
  const columns: Columns = { victims: model.workloads.some(it => it.victims > 0) };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach what scrolls.
    <section class="table-view" aria-label={words.label} data-scroller="workloads" tabIndex={0}>
      <table class="workloads">
        <caption class="sr-only">{words.label}</caption>
        <thead>
          <ColumnHeads
            names={[
              words.workload,
              words.placed,
              words.pending,
              words.nodes,
              words.zones,
              ...(columns.victims ? [words.victims] : []),
              words.tryIt,
            ]}
          />
        </thead>
        <tbody>
          {waitingFirst(model.workloads).map(it => (
            <Row
              key={`${it.namespace}/${it.kind}/${it.name}`}
              workload={it}
              isChosen={chosen !== undefined && it.pods.includes(chosen)}
              model={model}
              {...{ zoneName, columns }}
              onTry={onTry}
              onChoose={onChoose}
            />
          ))}
        </tbody>
      </table>
      {model.workloads.length === 0 && <p class="hint">{strings.empty.noPods}</p>}
    </section>
  );
}

const waitsIn = ({ pending, evicted }: PreviewWorkload): number => pending + evicted;

/** Those with Pods without a node before the others. */
function waitingFirst(workloads: readonly PreviewWorkload[]): readonly PreviewWorkload[] {
  return [...workloads.filter(it => waitsIn(it) > 0), ...workloads.filter(it => waitsIn(it) === 0)];
}

interface RowProps extends Omit<Props, 'chosen'> {
  readonly workload: PreviewWorkload;
  readonly isChosen: boolean;
  /** The name of a zone where there is little room. */
  readonly zoneName: (zone: string) => string;
  readonly columns: Columns;
}

/** What has a column: nothing where no row would say anything. */
interface Columns {
  readonly victims: boolean;
}

function Row({ workload, isChosen, model, zoneName, columns, onTry, onChoose }: RowProps) {
  const { kind, namespace, name, pods, onNode, nodes, zones, victims } = workload;
  const waits = waitsIn(workload);
  const nodeName = useNodeName();
  return (
    <tr class={isChosen ? 'chosen' : ''}>
      <th scope="row">
        <button type="button" class="link" onClick={() => onChoose(pods[0] ?? '')} title={`${namespace}/${name}`}>
          <span class="quiet">{kind}</span> {name}
        </button>
      </th>
      <td>{strings.workloads.of(onNode, pods.length)}</td>
      <td class={waits > 0 ? 'bad' : ''}>
        {waits > 0 && <Icon name="ring" />}
        {waits}
      </td>
      <td class="in-one-line" title={nodes.join(', ')}>
        {nodes.length > 1 ? strings.nodeGrid.zoneCount(nodes.length) : nodes.map(nodeName)}
      </td>
      <td class="in-one-line" title={zones.join(', ')}>
        {listed(zones.map(zoneName), NAMES)}
      </td>
      {columns.victims && <td>{victims}</td>}
      <td>
        <WorkloadTries workload={workload} model={model} onTry={onTry} />
      </td>
    </tr>
  );
}

/** One more replica, twice as many, any number, or none of it. */
export function WorkloadTries({ workload, model, onTry }: Pick<RowProps, 'workload' | 'model' | 'onTry'>) {
  const words = strings.whatIf;
  const scale = (to: (replicas: number) => number): void => onTry(scaled(workload, triedIn(model), to));
  const name = `${workload.kind}/${workload.name}`;
  return (
    <span class="tries">
      {workload.isScalable && (
        <>
          <button
            type="button"
            aria-label={words.oneMoreOf(name)}
            title={words.oneMoreOf(name)}
            onClick={() => scale(it => it + 1)}
          >
            +1
          </button>
          <button
            type="button"
            aria-label={words.twiceOf(name)}
            title={words.twiceOf(name)}
            onClick={() => scale(it => 2 * it)}
          >
            ×2
          </button>
          <Scale
            name={`${workload.namespace}/${name}`}
            label={words.scaling.open}
            title={words.scaling.of(name)}
            units={['replicas', 'times']}
            replicas={workload.pods.length}
            onScale={(count, unit) => scale(it => (unit === 'replicas' ? count : count * it))}
          />
        </>
      )}
      <button
        type="button"
        aria-label={words.removeOf(name)}
        title={words.removeOf(name)}
        onClick={() => onTry(it => withChange(it, { do: 'remove', object: objectOf(workload) }))}
      >
        {words.removeWord}
      </button>
    </span>
  );
}
