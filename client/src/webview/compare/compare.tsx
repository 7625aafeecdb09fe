import { useLayoutEffect } from 'preact/hooks';
import type {
  ComparedPlacement,
  ComparedStrategy,
  PreviewComparison,
  PreviewModel,
  Strategy,
} from '../../../../server/src/analysis/previewModel';
import { isCompared } from '../state/screen';
import type { Pods } from '../state/selectors';
import { triedIn } from '../state/whatIf';
import { strings } from '../text/strings';
import { FigureRows } from './figures';
import { SideBySide } from './sideBySide';

interface Props {
  readonly model: PreviewModel;
  readonly pods: Pods;
  readonly comparison: PreviewComparison | undefined;
  readonly before: PreviewComparison | undefined;
  readonly onCompare: (wanted: 'now' | 'noMore') => void;
  readonly onShow: (strategy: Strategy) => void;
}

/** The ways to score and the best possible placement side by side, one a column; the best figure of each row is marked. */
export function Compare({ model, pods, comparison, before, onCompare, onShow }: Props) {
  const words = strings.compare;
  // Before anybody sees the old one as if it were of this model.
  useLayoutEffect(() => {
    if (isCompared(model, comparison)) return;
    onCompare('now');
    return () => onCompare('noMore');
  }, [model.comparedAs]);
  const known = comparison ?? (before && nothingYet(before));
  if (known === undefined) {
    return (
      <Frame>
        <p class="hint">{words.waiting}</p>
      </Frame>
    );
  }
  const columns = known.strategies.map(it => columnOf(it, known, before));
  const now = triedIn(model).strategy ?? 'configured';
  return (
    <Frame>
      <p class="progress" role="status">
        {progressOf(known)}
      </p>
      <table class="compare">
        <caption class="sr-only">{words.label}</caption>
        <thead>
          <tr>
            <td />
            {columns.map(it => (
              <th scope="col" key={it.strategy} title={explained(it.strategy)}>
                {words.names[it.strategy]}
                {it.state !== 'done' && <small class="quiet">{words.states[it.state]}</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <FigureRows placements={columns} isOver={known.optimum !== undefined} />
          <ShowRow columns={columns} now={now} onShow={onShow} />
        </tbody>
      </table>
      <p class="quiet objective">
        {words.rows.objective}: {words.explain.objective}.
      </p>
      <Optimum comparison={known} />
      <SideBySide comparison={known.optimum ? known : (before ?? known)} model={model} pods={pods} />
    </Frame>
  );
}

function nothingYet({ optimum: _, ...rest }: PreviewComparison): PreviewComparison {
  return { ...rest, done: [] };
}

function Frame({ children }: { readonly children: preact.ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach what scrolls.
    <section class="table-view" aria-label={strings.compare.label} data-scroller="compare" tabIndex={0}>
      <p class="quiet">{strings.compare.explained}</p>
      {children}
    </section>
  );
}

export interface ComparedColumn {
  readonly strategy: ComparedStrategy;
  /** aged: a newer one is being worked out. */
  readonly state: 'done' | 'placing' | 'solving' | 'waiting' | 'failed';
  readonly placement: ComparedPlacement | undefined;
}

function columnOf(
  strategy: ComparedStrategy,
  comparison: PreviewComparison,
  before: PreviewComparison | undefined,
): ComparedColumn {
  const { done, strategies, failure } = comparison;
  const find = (it: PreviewComparison | undefined) => it?.done.find(placed => placed.strategy === strategy);
  const placement = find(comparison);
  if (placement) return { strategy, state: 'done', placement };
  const isNext = strategies[done.length] === strategy;
  const working = strategy === 'optimal' ? 'solving' : 'placing';
  return { strategy, state: failure !== undefined ? 'failed' : isNext ? working : 'waiting', placement: find(before) };
}

function progressOf({ strategies, done, failure, seconds }: PreviewComparison): string {
  const words = strings.compare;
  if (failure !== undefined) return failure;
  if (done.length === strategies.length) return words.finished;
  const next = strategies[done.length];
  if (next === undefined) return words.waiting;
  return next === 'optimal'
    ? words.solving(done.length, strategies.length, seconds)
    : words.placing(done.length, strategies.length, words.names[next]);
}

const explained = (strategy: ComparedStrategy): string =>
  strategy === 'optimal' ? strings.compare.optimalExplained : strings.whatIf.strategies[strategy];

interface ShowProps {
  readonly columns: readonly ComparedColumn[];
  readonly now: Strategy;
  readonly onShow: (strategy: Strategy) => void;
}

/** kube-scheduler never makes the best possible placement by itself: it is not shown as one that it makes. */
function ShowRow({ columns, now, onShow }: ShowProps) {
  const words = strings.compare;
  return (
    <tr>
      <th scope="row">{words.show}</th>
      {columns.map(({ strategy }) =>
        strategy === 'optimal' ? (
          <td key={strategy} class="quiet">
            {words.below}
          </td>
        ) : (
          <td key={strategy}>
            <button
              type="button"
              class="secondary"
              disabled={strategy === now}
              data-key={`show:${strategy}`}
              aria-label={strategy === now ? words.shown : words.showOf(strings.whatIf.strategies[strategy])}
              onClick={() => onShow(strategy)}
            >
              {strategy === now ? words.shown : words.show}
            </button>
          </td>
        ),
      )}
    </tr>
  );
}

/** How good the best placement is known to be, and what it leaves where it was. */
function Optimum({ comparison: { optimum, done, seconds } }: { readonly comparison: PreviewComparison }) {
  const words = strings.compare;
  if (optimum === undefined) return null;
  const { gap } = done.find(it => it.strategy === 'optimal') ?? {};
  const kept = Object.entries(optimum.kept).map(([why, count]) => words.kept(count, why));
  return (
    <p class="quiet optimum">
      {words.proofs[optimum.proof](gap, seconds)}
      {kept.length > 0 && ` ${words.keeps(kept.join(strings.lists.comma))}`}
    </p>
  );
}
