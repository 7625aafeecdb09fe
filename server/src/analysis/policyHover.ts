import type { PolicyResult } from '../policy/result';
import type { Snapshot } from '../workspace/workspace';
import type { Hover } from './analysis';
import { objectAt } from './placements';
import type { KnownResults } from './policyRuns';
import { isAgainst, tellsOf } from './policyTally';

const MAX_OBJECTS = 20;

/** At the name or kind of a policy: which objects of the workspace it rejects, as far as it was asked. */
export function policyHover(
  snapshot: Snapshot,
  resultsOf: KnownResults,
  uri: string,
  offset: number,
): Hover | undefined {
  const policy = objectAt(snapshot, uri, offset);
  const at = policy?.manifest.pathAt(offset);
  if (policy === undefined || at === undefined || !['kind', 'metadata.name'].includes(at.path.toString()))
    return undefined;
  // Namespaces and parameters count among what policies are made of.
  if (tellsOf(policy) === undefined) return undefined;
  const results = resultsOf(policy);
  if (results === undefined) return undefined;
  const objects = [...new Set(results.filter(isAgainst).map(nameOf))];
  const more = objects.length > MAX_OBJECTS ? [`… and ${objects.length - MAX_OBJECTS} more`] : [];
  const list = [...objects.slice(0, MAX_OBJECTS), ...more].map(it => `- ${it}`).join('\n');
  const markdown =
    objects.length === 0
      ? 'No object of the workspace is against this policy.'
      : `Against this policy ${objects.length === 1 ? 'is one object' : `are ${objects.length} objects`} of the workspace:\n\n${list}`;
  return { span: policy.manifest.spanOf(at.path, at.part), markdown };
}

function nameOf({ place: { object } }: PolicyResult): string {
  const { kind, namespace, name = '' } = object;
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
