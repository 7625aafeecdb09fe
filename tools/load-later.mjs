// An esbuild plugin: modules of a bundle that are loaded when one of their functions is called for the first time.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * Whoever imports one of the `modules`, paths below `root`, gets functions of the same names, which load it at the first
 * call. Such a module may export functions alone: any other value would be needed at the start.
 */
export function loadLater(root, modules) {
  const paths = new Set(modules.map(it => join(root, it)));
  const names = new Set(modules.map(it => basename(it, '.ts')));
  return {
    name: 'load-later',
    setup(build) {
      build.onResolve({ filter: /^\./ }, async ({ path, importer, kind, resolveDir, namespace, pluginData }) => {
        if (pluginData === 'load-later' || namespace !== 'file' || kind !== 'import-statement') return undefined;
        if (!names.has(basename(path))) return undefined;
        const found = await build.resolve(path, { importer, kind, resolveDir, pluginData: 'load-later' });
        return paths.has(found.path) ? { path: found.path, namespace: 'later' } : undefined;
      });
      build.onLoad({ filter: /./, namespace: 'later' }, ({ path }) => ({
        contents: standIn(path, exportedFunctions(path)),
        resolveDir: root,
        watchFiles: [path],
      }));
    },
  };
}

/** What stands behind `export`: `function name(`, or `const name = (…) =>`. */
const FUNCTION = /^(?:(?:async )?function\*? ?|const (?=\w+ = (?:async )?\(.*=>))(\w+)/;

function exportedFunctions(path) {
  const exported = [...readFileSync(path, 'utf8').matchAll(/^export (?!type |interface )(.*)$/gm)].map(it => it[1]);
  return exported.map(it => {
    const [, name] = FUNCTION.exec(it) ?? [];
    if (name === undefined) throw new Error(`${path} exports more than functions, so it cannot be loaded later: ${it}`);
    return name;
  });
}

function standIn(path, names) {
  const functions = names.map(it => `export function ${it}(...given) { return load().${it}(...given); }`);
  return `let loaded;
const load = () => (loaded ??= require(${JSON.stringify(path)}));
${functions.join('\n')}
`;
}

/**
 * What a check of one file does not need, measured: with it loaded, `berth check` of a Deployment takes 6 % more CPU. `npm run
 * bench -- start` shows the time.
 */
export const LATER = [
  'server/src/analysis/explain/explainPlacement.ts',
  'server/src/analysis/features/annotate.ts',
  'server/src/analysis/features/completion/complete.ts',
  'server/src/analysis/features/explorations.ts',
  'server/src/analysis/features/hover/hover.ts',
  'server/src/analysis/features/inlayHints/inlayHints.ts',
  'server/src/analysis/features/navigation/navigation.ts',
  'server/src/analysis/features/orderLenses.ts',
  'server/src/analysis/features/outline/outline.ts',
  'server/src/analysis/features/reschedulerLenses.ts',
  'server/src/analysis/features/stateGraphs.ts',
  'server/src/analysis/features/writingHelp.ts',
  'server/src/analysis/placement/clusterQuestions.ts',
  'server/src/analysis/placement/compare.ts',
  'server/src/analysis/placementTests/suite.ts',
  'server/src/analysis/preview/build.ts',
  'server/src/analysis/systems/systemProblems.ts',
  'server/src/analysis/upgrade/walk.ts',
  'server/src/cli/verbs/baseline.ts',
  'server/src/cli/verbs/explain.ts',
  'server/src/cli/verbs/explore.ts',
  'server/src/cli/verbs/place.ts',
  'server/src/cli/verbs/policyTest.ts',
  'server/src/cli/verbs/snapshot.ts',
  'server/src/cli/verbs/test.ts',
  'server/src/cli/verbs/upgrade.ts',
  'server/src/cli/verbs/whatIf.ts',
  'server/src/descheduler/settle.ts',
  'server/src/descheduler/vpa/whatIf.ts',
  'server/src/explore/orders/arrival.ts',
  'server/src/explore/system/exploreSystem.ts',
  'server/src/kube/cel/checker/compile.ts',
  'server/src/kube/cel/environment.ts',
  'server/src/kube/cel/eval/program.ts',
  'server/src/policy/conftest/run.ts',
  'server/src/policy/kyverno/cel/engine.ts',
  'server/src/policy/kyverno/check/check.ts',
  'server/src/policy/kyverno/evaluation/deletions.ts',
  'server/src/policy/kyverno/evaluation/evaluatePolicies.ts',
  'server/src/policy/kyverno/evaluation/mutations.ts',
  'server/src/policy/kyverno/evaluation/sideEffects.ts',
  'server/src/policy/kyverno/jmespath/jmespath.ts',
  'server/src/policy/kyverno/workspaceWorld.ts',
  'server/src/rules/apiserver/fixes/fixes.ts',
  'server/src/rules/apiserver/messages/sentences.ts',
  'server/src/rules/apiserver/validate/admission/index.ts',
  'server/src/rules/apiserver/validate/apiextensions/index.ts',
  'server/src/rules/apiserver/validate/apiextensions/schema.ts',
  'server/src/rules/apiserver/validate/certificates/index.ts',
  'server/src/rules/apiserver/validate/control/index.ts',
  'server/src/rules/apiserver/validate/core/index.ts',
  'server/src/rules/apiserver/validate/crd/index.ts',
  'server/src/rules/apiserver/validate/dra/index.ts',
  'server/src/rules/apiserver/validate/flowcontrol/index.ts',
  'server/src/rules/apiserver/validate/networking/index.ts',
  'server/src/rules/apiserver/validate/storage/index.ts',
  'server/src/rules/apiserver/validate/system/index.ts',
  'server/src/rules/migrations/fix.ts',
  'server/src/rules/scheduler/configurationProblems.ts',
  'server/src/scheduler/queries.ts',
  'server/src/scheduler/scenario.ts',
  'server/src/scheduler/whatIf/propose/index.ts',
];
