import { useMemo, useState } from 'preact/hooks';
import type { ComparedStrategy, PreviewComparison, PreviewModel } from '../../../../server/src/analysis/previewModel';
import type { Pods } from '../state/selectors';
import { triedIn } from '../state/whatIf';
import { strings } from '../text/strings';
import { differing, type Elsewhere, type Load, type NodeSides } from './differences';
import { FigureRows } from './figures';

interface Props {
  readonly comparison: PreviewComparison;
  readonly model: PreviewModel;
  readonly pods: Pods;
}

type Side = 'left' | 'right';
type Pair = readonly [ComparedStrategy, ComparedStrategy];

/** Two of the strategies: their figures, the nodes that differ, and which Pods lie elsewhere. */
export function SideBySide({ comparison, model, pods }: Props) {
  const words = strings.compare.sides;
  const [chosen, setChosen] = useState<Partial<Record<Side, ComparedStrategy>>>({});
  const left = chosen.left ?? triedIn(model).strategy ?? 'configured';
  const wanted = chosen.right ?? 'optimal';
  const right = wanted !== left ? wanted : left === 'optimal' ? 'configured' : 'optimal';
  const found = useMemo(() => differing(comparison, [left, right], pods), [comparison, left, right, pods]);
  const count = (found?.elsewhere ?? []).reduce((sum, it) => sum + it.pods.length, 0);
  const columns = [left, right].map(strategy => ({
    strategy,
    state: 'done',
    placement: comparison.done.find(it => it.strategy === strategy),
  }));
  const { strategies } = comparison;
  const choose = (side: Side) => (strategy: ComparedStrategy) => setChosen({ ...chosen, [side]: strategy });
  return (
    <section class="sides" aria-labelledby="sides-title">
      <h2 id="sides-title">{words.title}</h2>
      <div class="choices">
        <SideChoice side="left" value={left} other={right} strategies={strategies} onChoose={choose('left')} />
        <SideChoice side="right" value={right} other={left} strategies={strategies} onChoose={choose('right')} />
      </div>
      <p role="status">
        {found === undefined ? words.waiting : count === 0 ? words.same : words.elsewhere(count, found.nodes.length)}
      </p>
      {found !== undefined && (
        <>
          <table class="compare">
            <caption class="sr-only">{words.figures}</caption>
            <SidesHead pair={[left, right]} first="" />
            <tbody>
              <FigureRows placements={columns} isOver={comparison.optimum !== undefined} />
            </tbody>
          </table>
          {count > 0 && <Nodes nodes={found.nodes} model={model} pair={[left, right]} />}
          {count > 0 && <Moves moves={found.elsewhere} pair={[left, right]} />}
        </>
      )}
    </section>
  );
}

interface SideProps {
  readonly side: Side;
  readonly value: ComparedStrategy;
  /** What stands on the other side. */
  readonly other: ComparedStrategy;
  readonly strategies: readonly ComparedStrategy[];
  readonly onChoose: (strategy: ComparedStrategy) => void;
}

function SideChoice({ side, value, other, strategies, onChoose }: SideProps) {
  return (
    <label class="choice">
      {strings.compare.sides[side]}
      <select
        value={value}
        data-key={`side:${side}`}
        onChange={({ currentTarget }) => onChoose(currentTarget.value as ComparedStrategy)}
      >
        {strategies.map(it => (
          <option disabled={it === other} key={it} value={it}>
            {strings.compare.names[it]}
          </option>
        ))}
      </select>
    </label>
  );
}

function SidesHead({ pair, first, last }: { readonly pair: Pair; readonly first: string; readonly last?: string }) {
  return (
    <thead>
      <tr>
        {first === '' ? <td /> : <th scope="col">{first}</th>}
        {pair.map((it, side) => (
          <th scope="col" key={side === 0 ? 'left' : 'right'}>
            {strings.compare.names[it]}
          </th>
        ))}
        {last !== undefined && <th scope="col">{last}</th>}
      </tr>
    </thead>
  );
}

/** So many rows at first, and more with each press. */
const ROWS = 40;

function useRows<T>(all: readonly T[]): readonly [readonly T[], preact.JSX.Element | null] {
  const [shown, setShown] = useState(ROWS);
  const left = all.length - shown;
  const more = left > 0 && (
    <button type="button" class="secondary" onClick={() => setShown(shown + ROWS)}>
      {strings.compare.sides.more(left)}
    </button>
  );
  return [all.slice(0, shown), more || null];
}

function Nodes({ nodes, model, pair }: { nodes: readonly NodeSides[]; model: PreviewModel; pair: Pair }) {
  const words = strings.compare.sides;
  const [rows, more] = useRows(nodes);
  const byName = useMemo(() => new Map(model.nodes.map(it => [it.name, it])), [model]);
  return (
    <>
      <table class="compare">
        <caption>{words.nodes}</caption>
        <SidesHead pair={pair} first={strings.details.node} />
        <tbody>
          {rows.map(({ node, left, right }) => {
            const { zone = '', resources = [] } = byName.get(node) ?? {};
            const of = (name: string): number => resources.find(it => it.name === name)?.allocatable ?? 0;
            const room = { cpu: of('cpu'), memory: of('memory') };
            return (
              <tr key={node}>
                <th scope="row">
                  {node} <span class="quiet">{zone}</span>
                </th>
                <LoadCell load={left} room={room} />
                <LoadCell load={right} room={room} />
              </tr>
            );
          })}
        </tbody>
      </table>
      {more}
    </>
  );
}

function LoadCell({ load, room }: { load: Load; room: { readonly cpu: number; readonly memory: number } }) {
  const part = (used: number, all: number): number => (all > 0 ? Math.min(1, used / all) : 0);
  const [cpu, memory] = [part(load.cpuMilli, room.cpu), part(load.memoryBytes, room.memory)];
  const percent = (it: number): number => Math.round(100 * it);
  return (
    <td>
      {strings.compare.sides.load(load.pods, percent(cpu), percent(memory))}
      {[cpu, memory].map((it, index) => (
        <span class="track" aria-hidden="true" key={index === 0 ? 'cpu' : 'memory'}>
          <span class="segment placed" style={{ width: `${100 * it}%` }} />
        </span>
      ))}
    </td>
  );
}

function Moves({ moves, pair }: { moves: readonly Elsewhere[]; pair: Pair }) {
  const words = strings.compare.sides;
  const [rows, more] = useRows(moves);
  const nodeOf = (node: string | undefined) =>
    node === undefined ? <td class="bad">{words.noNode}</td> : <td>{node}</td>;
  return (
    <>
      <table class="compare moves">
        <caption>{words.moves}</caption>
        <SidesHead pair={pair} first={strings.workloads.workload} last={words.count} />
        <tbody>
          {rows.map(it => (
            <tr key={`${it.pods[0]} ${it.left} ${it.right}`}>
              <th scope="row" title={it.pods.join('\n')}>
                {it.workload}
              </th>
              {nodeOf(it.left)}
              {nodeOf(it.right)}
              <td>{it.pods.length}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </>
  );
}
