import { asList, asObject } from '../../base/json';
import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import type { FieldPath } from '../../manifest/fieldPath';
import { change, fixOf } from '../edits/fix';
import { layered, messageFields } from '../framework/layers';
import { defineRule } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';
import { counted, listed, upstreamWords } from './phrases';

interface Facts {
  readonly at: FieldPath;
  readonly key: string;
  readonly minDomains: number;
  readonly maxSkew: number;
  readonly domains: readonly string[];
  readonly pods: number;
  readonly upstream: string;
}

export default defineRule<Facts>({
  meta: {
    code: 'placement/min-domains-too-many',
    category: 'placement',
    severity: 'warning',
    cost: 'placement',
    summary: 'A spread constraint asks for more domains than the nodes of the cluster have.',
    why: 'While there are fewer domains than minDomains, the scheduler counts an empty one besides: no domain may then hold more than maxSkew of the Pods, however evenly they are spread. Those beyond stay Pending.',
    remedy: 'Lower minDomains to the domains there are, or add nodes of another domain.',
    details:
      'It is information while all Pods find a place nevertheless. Domains are counted as the constraint counts them: among nodes that the Pod may go to, as nodeAffinityPolicy and nodeTaintsPolicy say. Silent unless the nodes of the cluster are known.',
    source: { project: 'kubernetes', symbol: 'podtopologyspread.preFilterState.minMatchNum', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/',
  },
  on: 'podSpec',

  *check(target, { placement }) {
    const place = podSpecOf(target);
    const written = asList(place?.spec.topologySpreadConstraints).filter(it => asObject(it)?.minDomains !== undefined);
    if (place === undefined || written.length === 0) return;
    const facts = placement?.(target.object);
    const pods = facts?.podsOf(target.object) ?? [];
    const [pod] = pods;
    const spread = pod && facts?.spreadOf(pod);
    if (facts === undefined || pod === undefined || spread === undefined) return;
    const list = place.at.child('topologySpreadConstraints');
    const own = (pod.spec.topologySpreadConstraints ?? []).flatMap((it, i) =>
      it.whenUnsatisfiable === 'DoNotSchedule' ? [i] : [],
    );
    for (const [i, index] of own.entries()) {
      const constraint = spread.constraints[i];
      const domains = [...(spread.domains[i]?.counts.keys() ?? [])].sort();
      if (constraint === undefined || domains.length >= constraint.minDomains) continue;
      const at = list.index(index).child('minDomains');
      if (!target.object.manifest.has(at)) continue;
      const { minDomains, maxSkew, topologyKey: key } = constraint;
      const isShort = constraint.selector.matches(pod.labels) && pods.length > maxSkew * domains.length;
      const upstream = upstreamWords(target.object, facts);
      yield {
        at,
        part: 'value',
        facts: { at, key, minDomains, maxSkew, domains, pods: pods.length, upstream },
        ...(!isShort && { severity: 'info' }),
      };
    }
  },

  message: ({ facts: { key, minDomains, maxSkew, domains, pods, upstream } }) => {
    const there =
      domains.length === 0
        ? t`no node that these Pods may go to has ${quoted(key)}`
        : t`the nodes that these Pods may go to have ${domains.length} (${listed(domains)})`;
    const room = maxSkew * domains.length;
    const effect = t`while one is missing, each takes at most ${counted(maxSkew, 'Pod')} (maxSkew), ${room} in all`;
    const short = t`this asks for ${minDomains} domains of ${quoted(key)}, and ${there}`;
    const whole = `${effect}${pods > room ? t`, of the ${pods} wanted` : ''}`;
    const { message } = messageFields(layered(`${short}: ${whole}`, upstream));
    return { headline: short, detail: upstream === '' ? whole : `${whole}\n${upstream}`, message };
  },

  fixes({ facts: { at, domains } }, { object }, _context, edit) {
    return domains.length === 0 ? [] : [fixOf(change(at, domains.length), object, edit)];
  },
});
