import type { Comparison } from '../../analysis/scenario';
import { printable } from '../../text/printable';
import { counted, type Paint } from './style';

const COLUMNS = ['STRATEGY', 'NODES USED', 'PENDING', 'OBJECTIVE', 'GAP'] as const;

/** What the last column cannot say, a sentence each way that the solver may end. */
const PROOFS: Readonly<Record<Comparison['optimum']['proof'], string>> = {
  optimal: 'No placement that evicts nobody else has a lower objective.',
  within: 'The solver ended this near to the best; GAP is proven.',
  stopped: 'The solver was stopped by its limits; GAP is all that is proven.',
  outside: 'One of the strategies does better by something that the formulation leaves out.',
};

/** Ways to place a scenario side by side, below its table. */
export function renderComparison({ strategies, optimum }: Comparison, paint: Paint): string {
  const percent = (gap: number | undefined): string => (gap === undefined ? '?' : `${(gap * 100).toFixed(1)} %`);
  const rows = strategies.map(it => [it.strategy, it.nodesUsed, it.pending, it.objective, percent(it.gap)].map(String));
  const widths = COLUMNS.map((name, i) => Math.max(name.length, ...rows.map(it => it[i]!.length)));
  const line = (cells: readonly string[]): string =>
    `  ${cells.map((it, i) => (i === 0 ? it.padEnd(widths[i]!) : it.padStart(widths[i]!))).join('  ')}\n`;
  const kept = Object.entries(optimum.kept).map(([why, count]) => `${counted(count, 'Pod')} for ${why}`);
  const stays = kept.length === 0 ? '' : ` Kept where the best of the others puts them: ${kept.join(', ')}.`;
  return [
    paint('dim', line(COLUMNS)),
    ...rows.map(line),
    `  ${printable(`${PROOFS[optimum.proof]}${stays}`)}\n`,
    '\n',
  ].join('');
}
