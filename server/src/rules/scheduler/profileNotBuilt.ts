import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { layered } from '../framework/layers';
import { defineRule } from '../framework/rule';
import { configurationProblems } from './configurationProblems';
import type { ProfileRefusal } from './validate/profiles';

export default defineRule<ProfileRefusal>({
  meta: {
    code: 'scheduler/profile-not-built',
    category: 'placement',
    severity: 'error',
    cost: 'typing',
    summary: 'The plugins of a scheduler profile do not go together.',
    why: 'kube-scheduler does not start: it cannot build the profile.',
    remedy:
      'Name plugins that exist, once each, at extension points that they have; keep one queueSort and a bind plugin.',
    details:
      'A plugin that is not in the tree is a warning: a scheduler of one’s own build may bring it. Upstream tells the first of these errors and stops.',
    source: { project: 'kubernetes', symbol: 'framework/runtime.NewFramework', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/reference/scheduling/config/#scheduling-plugins',
  },
  on: ['KubeSchedulerConfiguration'],

  *check({ value, object }, { kube }) {
    for (const refusal of configurationProblems(value, kube).refusals) {
      const isPoint = refusal.at.segments.length === 4;
      yield {
        at: object.manifest.has(refusal.at) ? (isPoint ? refusal.at : refusal.at.child('name')) : refusal.at,
        part: isPoint ? 'key' : 'value',
        fieldPath: refusal.at.toString(),
        ...(refusal.unknownPlugin && { severity: 'warning' as const }),
        facts: refusal,
      };
    }
  },

  message: ({ facts: { unknownPlugin, schedulerName, text } }) => {
    if (unknownPlugin === undefined) {
      return layered(t`kube-scheduler cannot build the profile ${quoted(schedulerName)}`, text);
    }
    const { name, nearest } = unknownPlugin;
    const [best] = nearest;
    const hint =
      best === undefined ? t('only a scheduler of your own build may have it') : t`did you mean ${quoted(best)}?`;
    return layered(t`kube-scheduler has no plugin ${quoted(name)}; ${hint}`, text);
  },

  fixes: ({ at, facts }, { object }, _context, edit) =>
    (facts.unknownPlugin?.nearest ?? []).map(name => ({
      title: t`Change to ${name}`,
      safety: name.toLowerCase() === facts.unknownPlugin?.name.toLowerCase() ? ('safe' as const) : ('unsafe' as const),
      edits: [edit.replaceValue(object, at, name)],
    })),
});
