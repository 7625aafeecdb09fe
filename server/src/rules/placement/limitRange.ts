import type { JsonObject } from '../../base/json';
import { t } from '../../base/l10n';
import { admissionFacts, admitPod, isAdmitted, quotasOf } from '../../cluster/admission/admission';
import type { ReadRange } from '../../cluster/admission/limitRanger';
import type { Kube } from '../../kube/kube';
import { podKinds } from '../../kube/podTemplates';
import type { PersistentVolumeClaim, Pod } from '../../kube/types';
import { invalidityOf } from '../apiserver/invalidity';
import { decodedAs, limitRangesFor } from '../apiserver/limitRanges';
import { defineRule, type RuleTarget } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';
import { notAdmitted } from './notAdmitted';
import { nameLocation } from './phrases';

interface Facts {
  readonly of: 'pod' | 'workload' | 'claim';
  /** The server's words. */
  readonly refusal: string;
}

export default defineRule<Facts>({
  meta: {
    code: 'placement/limit-range',
    category: 'placement',
    severity: 'warning',
    cost: 'workspace',
    summary: 'A LimitRange of the namespace refuses a Pod or a claim.',
    why: 'The LimitRanger plugin fills in what containers leave out, and then refuses what is outside of its bounds, or validation refuses what the defaults made of the Pod. A controller makes no Pods at all.',
    remedy:
      'Write requests and limits that stay inside of the bounds of the LimitRange, or change the LimitRange itself.',
    details:
      'Said without any Node; 20 LimitRanges of a namespace that differ are looked at. Where a placement of the Pod already tells the refusal, `placement/not-admitted` says it.',
    source: { project: 'kubernetes', symbol: 'limitranger.(*LimitRanger)', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/policy/limit-range/',
  },
  on: [...podKinds, 'PersistentVolumeClaim'],

  *check(target, context) {
    const { object } = target;
    const ranges = limitRangesFor(object, context);
    if (ranges.length === 0) return;
    const placed = context.placement?.(object);
    // A placement has either told the refusal, or made Pods, which LimitRanges do not refuse.
    if (placed !== undefined && (placed.refusalOf(object) !== undefined || placed.podsOf(object).length > 0)) return;
    const refusal = refusalOf(target, ranges, context.kube);
    if (refusal === undefined) return;
    const of = object.kind === 'Pod' ? 'pod' : object.kind === 'PersistentVolumeClaim' ? 'claim' : 'workload';
    yield { at: nameLocation(object), part: 'value', facts: { of, refusal } };
  },

  message({ facts: { of, refusal } }) {
    const who = {
      pod: t('this Pod is not admitted'),
      workload: t('its Pods are not admitted'),
      claim: t('this claim is not admitted'),
    };
    return notAdmitted(who[of], refusal);
  },
});

function refusalOf(target: RuleTarget, ranges: readonly ReadRange[], kube: Kube): string | undefined {
  const { object, value } = target;
  const facts = {
    ...admissionFacts(new Map(), it => it === 'LimitRanger', {
      invalidityOf: (requested, made) => invalidityOf(requested as JsonObject, made as JsonObject, kube)?.text,
    }),
    limitRanges: new Map([[NAMESPACE, { read: ranges, leftOut: 0 }]]),
  };
  const metadata = { name: object.name ?? '', namespace: NAMESPACE };
  if (object.kind === 'PersistentVolumeClaim') {
    const claim = decodedAs<PersistentVolumeClaim>({ ...value, metadata });
    return claim && quotasOf(facts).admitClaim(claim);
  }
  const spec = podSpecOf(target)?.spec;
  const pod = spec && decodedAs<Pod>({ apiVersion: 'v1', kind: 'Pod', metadata, spec });
  if (pod === undefined || isAdmitted(pod)) return undefined;
  const admitted = admitPod(pod, facts);
  return 'rejected' in admitted ? admitted.rejected : undefined;
}

/** All that is compared is in one namespace, whatever its name. */
const NAMESPACE = 'default';
