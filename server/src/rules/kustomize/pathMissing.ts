import { t } from '../../base/l10n';
import { lazy } from '../../base/lazy';
import { nearestNames } from '../../base/nearest';
import { quoted } from '../../base/quoted';
import { valueAt } from '../../manifest/valueAt';
import { isKnownPath, type NamedPath } from '../../workspace/kustomize';
import { nameablePaths } from '../../workspace/nameablePaths';
import { defineRule, type RuleContext } from '../framework/rule';

interface Facts {
  readonly path: string;
  /** `kustomization`: the folder exists but has no kustomization. */
  readonly missing: 'path' | 'kustomization';
  readonly nearest: readonly string[];
}

export default defineRule<Facts>({
  meta: {
    code: 'kustomize/path-missing',
    category: 'reference',
    severity: 'error',
    cost: 'workspace',
    summary: 'A kustomization names a file or folder that is not there.',
    why: 'kustomize reads every file that the kustomization names, and builds nothing when one is missing.',
    remedy: 'Correct the path, which is relative to the folder of the kustomization, or write the file.',
    details: 'Addresses that kustomize fetches are not looked at, nor are charts.',
    source: { project: 'kustomize', symbol: 'target.KustTarget.accumulateResources', fidelity: 'inspired' },
    url: 'https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/resource/',
  },
  on: 'any',
  reads: ['kustomization'],

  *check(target, context) {
    const kustomization = context.snapshot.roles.kustomizations.kustomizations.get(target.object.manifest.uri);
    if (kustomization === undefined) return;
    const known = lazy(() => nameablePaths(kustomization, context.snapshot));
    for (const named of kustomization.paths) {
      const missing = missingOf(named, context);
      if (missing === undefined) continue;
      const nearest = nearestNames(named.path.replace(/^\.\//, ''), known()).slice(0, 3);
      yield { at: named.at, part: 'value', facts: { path: named.path, missing, nearest } };
    }
  },

  message: ({ facts: { path, missing, nearest } }) => {
    if (missing === 'kustomization') return t`the folder ${quoted(path)} has no kustomization.yaml`;
    const [best] = nearest;
    return t`there is no ${quoted(path)} here${best === undefined ? '' : t`; did you mean ${quoted(best)}?`}`;
  },

  fixes: ({ at, facts }, { object }, _context, edit) => {
    const written = valueAt(object.manifest.value, at);
    if (typeof written !== 'string' || written.includes('=')) return [];
    return facts.nearest.map(name => ({
      title: t`Change to ${name}`,
      safety: 'unsafe' as const,
      edits: [edit.replaceValue(object, at, name)],
    }));
  },
});

/**
 * Nothing is reported for paths that were not checked: files that are not manifests, and folders outside the checked
 * ones.
 */
function missingOf({ uri, as }: NamedPath, context: RuleContext): Facts['missing'] | undefined {
  const { snapshot, pathKind } = context;
  if (uri === undefined || isKnownPath(snapshot.roles.kustomizations, uri)) return undefined;
  const found = pathKind?.(uri);
  if (found === 'nothing') return 'path';
  return found === 'folder' && (as === 'resource' || as === 'component') ? 'kustomization' : undefined;
}
