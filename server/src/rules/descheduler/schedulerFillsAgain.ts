import { asObjects, objectOrEmpty, type UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import { isDeschedulerPolicy } from '../../descheduler/validate';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';

interface Facts {
  /** The strategy of the scheduler's profile; absent: the workspace has no configuration. */
  readonly strategy?: string;
}

export default defineRule<Facts>({
  meta: {
    code: 'descheduler/scheduler-fills-again',
    category: 'placement',
    severity: 'warning',
    cost: 'workspace',
    summary: 'HighNodeUtilization empties nodes, and the scheduler prefers empty nodes.',
    why: 'The scheduler places what was evicted on the nodes that were emptied, and the next run of the descheduler evicts it again.',
    remedy: 'Let the profile of the scheduler score with MostAllocated or RequestedToCapacityRatio.',
    details:
      'LeastAllocated is the default. It is information where the workspace has no KubeSchedulerConfiguration, as the cluster may have one.',
    source: {
      project: 'kubernetes-sigs/descheduler',
      symbol: 'nodeutilization.HighNodeUtilization',
      fidelity: 'inspired',
    },
    url: 'https://github.com/kubernetes-sigs/descheduler#highnodeutilization',
  },
  on: 'any',

  *check({ value }, { snapshot }) {
    if (!isDeschedulerPolicy(value)) return;
    const at = pluginIn(value);
    if (at === undefined) return;
    const configurations = snapshot.objectsOf('kubescheduler.config.k8s.io', 'KubeSchedulerConfiguration');
    const profiles = configurations.flatMap(it => asObjects(it.manifest.value.profiles));
    const strategies = profiles.length === 0 ? ['LeastAllocated'] : profiles.map(strategyOf);
    if (!strategies.every(it => it === 'LeastAllocated')) return;
    const facts = configurations.length === 0 ? {} : { strategy: 'LeastAllocated' };
    yield { at, part: 'value', facts, ...(configurations.length === 0 && { severity: 'info' as const }) };
  },

  message: ({ facts: { strategy } }) =>
    strategy === undefined
      ? t(
          'HighNodeUtilization needs a scheduler with MostAllocated: with LeastAllocated, the default, what it evicts goes back to the nodes that it empties',
        )
      : t`the scheduler scores with ${strategy}: what HighNodeUtilization evicts goes back to the nodes that it empties, for ever`,
});

/** Where the plugin is enabled. */
function pluginIn(policy: UnknownObject): FieldPath | undefined {
  for (const [i, { plugins }] of asObjects(policy.profiles).entries()) {
    const { enabled } = objectOrEmpty(objectOrEmpty(plugins).balance);
    const j = Array.isArray(enabled) ? enabled.indexOf('HighNodeUtilization') : -1;
    if (j >= 0) return FieldPath.of('profiles', i, 'plugins', 'balance', 'enabled', j);
  }
  return undefined;
}

/** Upstream: the defaults of NodeResourcesFitArgs. */
function strategyOf({ pluginConfig }: UnknownObject): string {
  const fit = asObjects(pluginConfig).find(it => it.name === 'NodeResourcesFit');
  const { type } = objectOrEmpty(objectOrEmpty(fit?.args).scoringStrategy);
  return typeof type === 'string' ? type : 'LeastAllocated';
}
