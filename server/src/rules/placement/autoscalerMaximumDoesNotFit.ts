import { asObject, asText } from '../../base/json';
import { t } from '../../base/l10n';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import { change, fixOf } from '../edits/fix';
import { layered } from '../framework/layers';
import { defineRule } from '../framework/rule';
import { sizedFacts } from './sizedFacts';

interface Facts {
  readonly target: string;
  readonly maximum: number;
  readonly placed: number;
  readonly least: number;
  readonly upstream: string;
}

const MAXIMUM = FieldPath.of('spec', 'maxReplicas');

export default defineRule<Facts>({
  meta: {
    code: 'placement/autoscaler-maximum-does-not-fit',
    category: 'placement',
    severity: 'info',
    cost: 'placement',
    summary: 'A HorizontalPodAutoscaler may ask for more replicas than the nodes have room for.',
    why: 'At the height of the load, when the last replicas are needed, they stay Pending.',
    remedy: 'Add nodes, let a cluster autoscaler add them, or lower maxReplicas.',
    details:
      'Everything else of the environment is placed first, as it is written, and the further replicas come last. Silent unless the nodes of the cluster are known; a cluster autoscaler that would add nodes is not. Some 100,000 further replicas are tried for all Deployments and autoscalers together, and at least 20 for each: where these find nodes, it is silent about more.',
    source: { project: 'kubernetes', symbol: 'kube-scheduler', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/',
  },
  on: ['HorizontalPodAutoscaler'],

  *check({ object, value }, { snapshot, placement }) {
    const maximum = fieldAt(value, 'spec', 'maxReplicas');
    const target = asObject(fieldAt(value, 'spec', 'scaleTargetRef'));
    const [kind, name] = [asText(target?.kind), asText(target?.name)];
    if (typeof maximum !== 'number' || kind === undefined || name === undefined) return;
    const apiVersion = asText(target?.apiVersion) ?? '';
    const group = apiVersion.slice(0, Math.max(0, apiVersion.lastIndexOf('/')));
    const [workload] = snapshot.find(group, kind, object.namespace, name);
    const facts = workload && sizedFacts(placement?.(workload));
    if (workload === undefined || facts === undefined || facts.podsOf(workload).length === 0) return;
    const found = facts.withReplicas(workload, maximum);
    if (found === undefined || found.placed >= found.wanted) return;
    const { wanted, placed, message } = found;
    const least = fieldAt(value, 'spec', 'minReplicas');
    yield {
      at: MAXIMUM,
      part: 'value',
      facts: {
        target: `${kind} ${name}`,
        maximum: wanted,
        placed,
        least: typeof least === 'number' ? least : 1,
        upstream: message ?? '',
      },
    };
  },

  message: ({ facts: { target, maximum, placed, upstream } }) =>
    layered(t`of ${maximum} replicas of ${target}, ${placed} find a node and ${maximum - placed} do not`, upstream),

  fixes({ facts: { placed, least } }, { object }, _context, edit) {
    return placed >= Math.max(1, least) ? [fixOf(change(MAXIMUM, placed), object, edit)] : [];
  },
});
