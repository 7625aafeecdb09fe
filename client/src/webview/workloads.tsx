import type { PreviewModel, PreviewWorkload } from '../../../server/src/analysis/previewModel';
import { ColumnHeads } from './columnHeads';
import { Icon } from './icons';
import { Scale } from './scale';
import { objectOf, scaled, triedIn, type WhatIfStep, withChange } from './state/whatIf';
import { listed, strings } from './text/strings';

interface Props {
  readonly model: PreviewModel;
  readonly chosen: string | undefined;
  readonly onTry: (change: WhatIfStep) => void;
  readonly onChoose: (pod: string) => void;
}

/** So many names of nodes are told; the rest is counted. */
const NAMES = 3;

/** All workloads of the environment, one a row. */
export function Workloads({ model, chosen, onTry, onChoose }: Props) {
  const words = strings.workloads;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach what scrolls.
    <section class="table-view" aria-label={words.label} data-scroller="workloads" tabIndex={0}>
      <table class="workloads">
        <caption class="sr-only">{words.label}</caption>
        <thead>
          <ColumnHeads
            names={[words.workload, words.placed, words.pending, words.nodes, words.zones, words.victims, words.tryIt]}
          />
        </thead>
        <tbody>
          {model.workloads.map(it => (
            <Row
              key={`${it.namespace}/${it.kind}/${it.name}`}
              workload={it}
              isChosen={chosen !== undefined && it.pods.includes(chosen)}
              model={model}
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

interface RowProps extends Omit<Props, 'chosen'> {
  readonly workload: PreviewWorkload;
  readonly isChosen: boolean;
}

function Row({ workload, isChosen, model, onTry, onChoose }: RowProps) {
  const { kind, namespace, name, pods, onNode, pending, evicted, nodes, zones, victims } = workload;
  const waits = pending + evicted;
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
      <td title={nodes.join(', ')}>{listed(nodes, NAMES)}</td>
      <td>{zones.join(', ')}</td>
      <td>{victims}</td>
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
