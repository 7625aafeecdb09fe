import { t } from '../../base/l10n';
import { nearestNames } from '../../base/nearest';
import { quoted } from '../../base/quoted';
import { decode } from '../decode/decode';
import { defineRule } from '../framework/rule';
import { KUSTOMIZATION } from './types';

export default defineRule<{ readonly path: string; readonly nearest: readonly string[] }>({
  meta: {
    code: 'kustomize/unknown-field',
    category: 'decode',
    severity: 'error',
    cost: 'typing',
    summary: 'A kustomization has a field that kustomize does not know.',
    why: 'kustomize reads kustomization files strictly: it builds nothing.',
    remedy: 'Correct the name, or move the field to where it belongs.',
    source: { project: 'kustomize', symbol: 'types.Kustomization.Unmarshal', fidelity: 'same' },
    url: 'https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/',
  },
  on: 'any',
  reads: ['kustomization'],

  *check({ value }) {
    for (const it of decode(value, KUSTOMIZATION)) {
      if (it.what !== 'unknown') continue;
      const names = [...it.schema.fields.keys()];
      // kustomize decodes as Go does by default: it ignores case.
      if (names.some(name => name.toLowerCase() === it.name.toLowerCase())) continue;
      const free = names.filter(name => !Object.hasOwn(it.present, name));
      const nearest = nearestNames(it.name, free).slice(0, 3);
      yield { at: it.at, part: 'key', errorType: 'UnknownField', facts: { path: it.at.toString(), nearest } };
    }
  },

  message: ({ facts: { path, nearest } }) => {
    const [best] = nearest;
    return t`kustomize does not know the field ${quoted(path)}${best === undefined ? '' : t`; did you mean ${quoted(best)}?`}`;
  },

  fixes: ({ at, facts }, { object }, _context, edit) => [
    ...facts.nearest.map(name => ({
      title: t`Rename to ${name}`,
      safety: 'unsafe' as const,
      edits: [edit.renameKey(object, at, name)],
    })),
    { title: t('Remove the field'), safety: 'unsafe', edits: [edit.remove(object, at)] },
  ],
});
