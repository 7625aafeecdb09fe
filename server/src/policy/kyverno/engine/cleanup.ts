import type { JsonObject } from '../../../base/json';
import { record, text } from '../../../kube/goFields';
import type { WorkspaceObject } from '../../../workspace/object';
import { checkConditions } from '../conditions/conditions';
import { evalContext } from '../context/context';
import { contextEntries } from '../context/contextLoaders';
import { isMatched, type MatchContext } from '../policies/match';
import type { Resource } from '../resource/resource';
import { budgetOf, STEPS_OF_ONE_RULE } from '../results/failures';
import { attempt, type RuleOutcome } from '../results/outcome';
import type { KyvernoWorld } from '../world';

/** A CleanupPolicy or ClusterCleanupPolicy. */
export interface CleanupPolicy {
  readonly object: WorkspaceObject;
  readonly name: string;
  readonly namespace?: string;
  readonly spec: JsonObject;
}

const kinds: ReadonlySet<string> = new Set(['CleanupPolicy', 'ClusterCleanupPolicy']);

/** undefined for any other object. */
export function cleanupPolicyOf(object: WorkspaceObject): CleanupPolicy | undefined {
  if (object.group !== 'kyverno.io' || !kinds.has(object.kind)) return undefined;
  const metadata = record(object.manifest.value, 'metadata');
  return {
    object,
    name: text(metadata, 'name'),
    ...(object.kind === 'CleanupPolicy' && { namespace: text(metadata, 'namespace') || 'default' }),
    spec: record(object.manifest.value, 'spec') ?? {},
  };
}

/**
 * Whether a cleanup policy would delete a resource at its next run (`pass`); undefined when it would not. There is no
 * user, so filters by user match nothing. Upstream: cleanup controller.
 */
export function cleanUp(
  { spec, namespace }: CleanupPolicy,
  resource: Resource,
  world: KyvernoWorld,
): RuleOutcome | undefined {
  if (namespace !== undefined && namespace !== resource.namespace) return undefined;
  const labels = resource.namespace === '' ? undefined : world.namespaceLabels(resource.namespace);
  const matchContext: MatchContext = {
    operation: 'CREATE',
    user: { roles: [], clusterRoles: [], username: '', groups: [] },
    ...(labels !== undefined && { namespaceLabels: labels }),
  };
  if (!isMatched({ match: spec.match ?? null, exclude: spec.exclude ?? null }, resource, matchContext))
    return undefined;
  const context = evalContext({
    data: { target: resource.value },
    entries: contextEntries(spec, world, namespace),
    operation: 'CREATE',
    jmespath: world.jmespath,
    budget: budgetOf(STEPS_OF_ONE_RULE),
  });
  const checked = attempt('failed to check conditions', () => checkConditions(spec.conditions, context));
  if ('outcome' in checked) return checked.outcome;
  return checked.value.holds ? { status: 'pass', message: 'resource matched' } : undefined;
}
