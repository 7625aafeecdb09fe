import { asList, asObject, asText, type JsonObject } from '../../base/json';
import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';
import { objectsNamed } from '../../workspace/references/definitions';
import { defineRule, type RuleContext } from '../framework/rule';

interface Facts {
  readonly other: { readonly kind: string; readonly name: string };
  readonly target: string;
  /** The resources that both act on; empty for two horizontal ones. */
  readonly resources: readonly string[];
}

const TARGET: Readonly<Record<string, FieldPath>> = {
  HorizontalPodAutoscaler: FieldPath.of('spec', 'scaleTargetRef', 'name'),
  VerticalPodAutoscaler: FieldPath.of('spec', 'targetRef', 'name'),
};

export default defineRule<Facts>({
  meta: {
    code: 'references/two-autoscalers',
    category: 'reference',
    severity: 'warning',
    cost: 'workspace',
    summary: 'Two autoscalers act on one workload and hinder each other.',
    why: 'A VerticalPodAutoscaler changes the requests by which a HorizontalPodAutoscaler measures the same resource, so that each reacts to the other. Two HorizontalPodAutoscalers of one workload stop with AmbiguousSelector and scale nothing.',
    remedy:
      'Keep one horizontal autoscaler; let the vertical one control other resources (`controlledResources`), or recommend only (`updateMode: "Off"`).',
    details: 'It is information where the two are in different files, which may be alternatives.',
    source: {
      project: 'kubernetes/autoscaler',
      symbol: 'vertical-pod-autoscaler known limitations',
      fidelity: 'inspired',
    },
    url: 'https://kubernetes.io/docs/concepts/workloads/autoscaling/',
  },
  on: ['HorizontalPodAutoscaler', 'VerticalPodAutoscaler'],

  *check({ object }, context) {
    const at = TARGET[object.kind];
    const workload = at && targetOf(object, at, context);
    if (at === undefined || workload === undefined) return;
    for (const { object: other, reference } of context.snapshot.references.to(workload)) {
      if (other.manifest === object.manifest || reference.at.toString() !== TARGET[other.kind]?.toString()) continue;
      const resources = object.kind === other.kind ? [] : sharedResources(object, other);
      const areHorizontal = object.kind === other.kind && object.kind === 'HorizontalPodAutoscaler';
      if (resources.length === 0 && !(areHorizontal && object.name !== other.name)) continue;
      yield {
        at,
        part: 'value',
        facts: {
          other: { kind: other.kind, name: other.name ?? '' },
          target: `${workload.kind} ${quoted(workload.name ?? '')}`,
          resources,
        },
        // Files that hold one autoscaler each may be alternatives.
        ...(other.manifest.uri !== object.manifest.uri && !context.snapshot.complete && { severity: 'info' as const }),
        related: [{ object: other, at: TARGET[other.kind]!, message: `${other.kind} ${quoted(other.name ?? '')}` }],
      };
      return;
    }
  },

  message: ({ facts: { other, target, resources } }) =>
    resources.length === 0
      ? t`${other.kind} ${quoted(other.name)} scales ${target}, too: with both, neither scales it (AmbiguousSelector)`
      : t`${other.kind} ${quoted(other.name)} acts on the ${resources.join(' and ')} of ${target}, too: each reacts to the other`,
});

/** The one workload of the workspace that an autoscaler names. */
function targetOf(object: WorkspaceObject, at: FieldPath, { snapshot }: RuleContext): WorkspaceObject | undefined {
  const reference = snapshot.references.of(object).find(it => it.at.toString() === at.toString());
  if (reference?.target.to !== 'object') return undefined;
  const [found, ...others] = objectsNamed(snapshot, reference.target);
  return others.length === 0 ? found : undefined;
}

/** The resources that a horizontal autoscaler measures by requests and a vertical one changes. */
function sharedResources(one: WorkspaceObject, other: WorkspaceObject): readonly string[] {
  const [horizontal, vertical] = one.kind === 'HorizontalPodAutoscaler' ? [one, other] : [other, one];
  const controlled = controlledBy(vertical.manifest.value);
  return measuredBy(horizontal.manifest.value).filter(it => controlled.includes(it));
}

/** Without metrics the server writes one of CPU. Metrics by an average value do not depend on requests. */
function measuredBy({ spec }: JsonObject): readonly string[] {
  const metrics = asList(asObject(spec)?.metrics);
  if (metrics.length === 0) return ['cpu'];
  const names = metrics.flatMap(it => {
    const source = asObject(fieldAt(it, 'resource')) ?? asObject(fieldAt(it, 'containerResource'));
    const isOfRequests = fieldAt(source, 'target', 'type') === 'Utilization';
    return (isOfRequests && asText(source?.name)) || [];
  });
  return [...new Set(names)];
}

const BY_DEFAULT = ['cpu', 'memory'];

function controlledBy({ spec }: JsonObject): readonly string[] {
  if (fieldAt(spec, 'updatePolicy', 'updateMode') === 'Off') return [];
  const policies = asList(fieldAt(spec, 'resourcePolicy', 'containerPolicies')).map(asObject);
  const acting = policies.filter(it => it?.mode !== 'Off');
  const listed = acting.map(it => it?.controlledResources);
  // Containers without a policy of their own are controlled in both, unless a policy for all says otherwise.
  if (policies.every(it => it?.containerName !== '*')) return BY_DEFAULT;
  const names = listed.flatMap(it => (Array.isArray(it) ? it.filter(name => typeof name === 'string') : BY_DEFAULT));
  return [...new Set(names)];
}
