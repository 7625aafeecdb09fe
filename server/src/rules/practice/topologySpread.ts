import { t } from '../../base/l10n';
import { get, int, record, records } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';
import { practice, REPLICATED_KINDS } from './practice';

export default defineRule(
  practice({
    code: 'practice/topology-spread',
    severity: 'info',
    summary: 'Nothing keeps the replicas of a workload apart.',
    why: 'The scheduler spreads them as well as it can, but all may land on one node, and all are gone with it.',
    remedy: 'Write a topologySpreadConstraint over hosts or zones, or a Pod anti-affinity.',
    after: [
      'kube-linter no-anti-affinity',
      'Polaris topologySpreadConstraint',
      'kube-score deployment-has-host-podantiaffinity',
    ],
    url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/',
    on: REPLICATED_KINDS,
    check: target => {
      const place = podSpecOf(target);
      if (place === undefined || int(record(target.value, 'spec'), 'replicas') < 2) return undefined;
      const isSpread = records(place.spec, 'topologySpreadConstraints').length > 0;
      const isApart = get(record(place.spec, 'affinity'), 'podAntiAffinity') !== undefined;
      if (isSpread || isApart) return undefined;
      return { at: FieldPath.of('spec', 'replicas'), message: t('all replicas may land on one node') };
    },
  }),
);
