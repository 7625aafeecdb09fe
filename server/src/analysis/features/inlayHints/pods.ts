import { asList, asObject, asText, type JsonObject, type JsonValue } from '../../../base/json';
import { t } from '../../../base/l10n';
import { largest, smallest } from '../../../base/manyItems';
import type { NodeModel } from '../../../cluster/clusterModel';
import { termMatches, termOf } from '../../../cluster/pods/affinityTerms';
import type { PodModel } from '../../../cluster/pods/podModel';
import { requiredNodeAffinity } from '../../../cluster/pods/requiredAffinity';
import { labelMatcher } from '../../../kube/labelSelector';
import type { LabelSelector, PodAffinityTerm } from '../../../kube/types';
import type { FieldPath } from '../../../manifest/fieldPath';
import { fieldAt, valueAt } from '../../../manifest/valueAt';
import { counted } from '../../../rules/placement/phrases';
import type { WorkspaceObject } from '../../../workspace/object';
import type { EnvironmentPlacement } from '../../placement/environmentPlacement';
import { behindKey, type HintContext, type HintsOf, type InlayHint, listed } from './hint';

/** The topology domains of each constraint, and their skew after placement. */
export const spreadHints: HintsOf = (object, { spec, path }, { placement, deployed, pods }) => {
  const at = path.child('topologySpreadConstraints');
  const namespace = deployed.namespace ?? 'default';
  const model = placement.pods.find(it => it.id === pods[0]);
  return asList(spec.topologySpreadConstraints).flatMap((it, i): readonly InlayHint[] => {
    const place = at.index(i);
    const constraint = asObject(it);
    const key = asText(constraint?.topologyKey);
    if (constraint === undefined || key === undefined || !object.manifest.has(place)) return [];
    const ignoresAffinity = constraint.nodeAffinityPolicy === 'Ignore' || model === undefined;
    const counting = ignoresAffinity ? undefined : requiredNodeAffinity(model.spec);
    const nodes = placement.cluster.nodes.filter(
      node => node.labels[key] !== undefined && (counting?.matches(node) ?? true),
    );
    const counts = countsOver(key, nodes, matchingPods(placement, namespace, constraint.labelSelector), placement);
    return [{ offset: behindKey(object, place), ...spreadInWords(counts, key) }];
  });
};

function countsOver(
  key: string,
  nodes: readonly NodeModel[],
  pods: readonly PodModel[],
  placement: EnvironmentPlacement,
): ReadonlyMap<string, number> {
  const domainOf = new Map(nodes.map(it => [it.name, it.labels[key] ?? '']));
  const counts = new Map([...domainOf.values()].map(it => [it, 0]));
  for (const pod of pods) {
    const domain = domainOf.get(placement.nodeOf(pod.id) ?? '');
    if (domain !== undefined) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  }
  return counts;
}

function spreadInWords(counts: ReadonlyMap<string, number>, key: string): Pick<InlayHint, 'label' | 'tooltip'> {
  if (counts.size === 0) return { label: t`no node to count has the label ${key}` };
  const numbers = [...counts.values()];
  const skew = largest(numbers) - smallest(numbers);
  const tooltip = listed([...counts].map(([domain, count]) => `${domain}: ${counted(count, 'Pod')}`));
  return { label: t`${counted(counts.size, 'domain')} · skew ${skew}`, tooltip };
}

function matchingPods(
  placement: EnvironmentPlacement,
  namespace: string,
  selector: JsonValue | undefined,
): readonly PodModel[] {
  const matcher = matcherOf(() => labelMatcher(selector as LabelSelector | undefined));
  return matcher ? placement.pods.filter(it => it.namespace === namespace && matcher.matches(it.labels)) : [];
}

const FIELDS = ['podAffinity', 'podAntiAffinity'] as const;
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** The number of placed Pods that each term matches, and of their nodes. */
export const podAffinityHints: HintsOf = (object, { path }, context) =>
  FIELDS.flatMap(field => {
    const at = path.child('affinity', field);
    const { value } = object.manifest;
    return [
      ...asList(valueAt(value, at.child(REQUIRED))).flatMap((it, i) =>
        termHints(object, at.child(REQUIRED).index(i), asObject(it), context),
      ),
      ...asList(valueAt(value, at.child(PREFERRED))).flatMap((it, i) =>
        termHints(
          object,
          at.child(PREFERRED).index(i).child('podAffinityTerm'),
          asObject(fieldAt(it, 'podAffinityTerm')),
          context,
        ),
      ),
    ];
  });

function termHints(
  object: WorkspaceObject,
  at: FieldPath,
  term: JsonObject | undefined,
  { placement, deployed }: HintContext,
): readonly InlayHint[] {
  const made = term && matcherOf(() => termOf(term as PodAffinityTerm, 0, deployed.namespace ?? 'default'));
  if (made === undefined || !object.manifest.has(at)) return [];
  const { namespaces } = placement.cluster;
  const pods = placement.pods.filter(it => placement.nodeOf(it.id) !== undefined && termMatches(made, it, namespaces));
  const nodes = new Set(pods.map(it => placement.nodeOf(it.id)));
  const label =
    pods.length === 0
      ? t('matches no Pod')
      : t`matches ${counted(pods.length, 'Pod')} on ${counted(nodes.size, 'node')}`;
  const tooltip = listed(pods.map(it => t`${it.id} on ${placement.nodeOf(it.id)}`));
  return [{ offset: behindKey(object, at), label, ...(tooltip !== '' && { tooltip }) }];
}

/** A value that is being typed may have an invalid shape. */
function matcherOf<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
