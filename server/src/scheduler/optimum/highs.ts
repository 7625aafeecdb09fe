import loadHighs from 'highs';
import type { Solve, Solved } from './optimum';

/** HiGHS's kSolutionStatusFeasible. */
const FEASIBLE = 2;

/** HiGHS in WebAssembly (3.5 MB), hence a bundle of its own. It runs in the caller's thread. */
export async function loadSolver(): Promise<Solve> {
  const highs = await loadHighs({ print: () => undefined, printErr: () => undefined });
  const { optimal, timeLimit } = highs.constants.modelStatus;
  return (data, { seconds, relativeGap }, start) =>
    highs.withModel({ format: 'lp', data }, (model): Solved => {
      model.options.set({ output_flag: false, time_limit: seconds, mip_rel_gap: relativeGap });
      // The solver ignores a start that violates a row.
      const initial = [...start].map(([name, value]) => [model.getColByName(name), value] as const);
      model.setSolution({ indices: initial.map(([column]) => column), values: initial.map(([, value]) => value) });
      model.run();
      const status = model.getModelStatus();
      const isFeasible = Number(model.info.get('primal_solution_status')) === FEASIBLE;
      const bound = Number(model.info.get('mip_dual_bound'));
      const { colValue } = model.getSolution();
      const values = new Map([...colValue].map((it, column) => [model.getColName(column), it]));
      return {
        end: !isFeasible ? 'failed' : status === optimal ? 'finished' : 'stopped',
        ...((status === optimal || status === timeLimit) && Number.isFinite(bound) && { bound }),
        value: variable => values.get(variable) ?? 0,
      };
    });
}
