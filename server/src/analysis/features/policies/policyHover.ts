import type { PolicyResult } from '../../../policy/result';
import { codeSpan, plainMarkdown } from '../../../text/markdown';
import type { Hover } from '../annotations';
import { type EnvironmentResults, type EvaluatedPolicy, policyAt } from './evaluatedPolicy';
import { isAgainst } from './policyTally';

const MAX_OBJECTS = 20;

/** Hover on the name or kind of a policy: the objects of the workspace that it rejects, from the results so far. */
export function policyHover(
  environments: readonly EnvironmentResults[],
  uri: string,
  offset: number,
): Hover | undefined {
  const evaluated = policyAt(environments, uri, offset);
  if (evaluated?.results === undefined || !['kind', 'metadata.name'].includes(evaluated.at.path.toString()))
    return undefined;
  const { policy, at, results, byEnvironment } = evaluated;
  return { span: policy.manifest.spanOf(at.path, at.part), markdown: againstInWords(results, byEnvironment) };
}

/** The objects that a policy rejects, by environment if there are several. */
export function againstInWords(
  results: readonly PolicyResult[],
  byEnvironment: EvaluatedPolicy['byEnvironment'],
): string {
  if (byEnvironment.length === 0) return againstIn(results, 'of the workspace');
  return byEnvironment.map(it => againstIn(it.results, `of ${codeSpan(it.name)}`)).join('\n\n');
}

function againstIn(results: readonly PolicyResult[], where: string): string {
  const objects = [...new Set(results.filter(isAgainst).map(nameOf))];
  if (objects.length === 0) return `No object ${where} is against this policy.`;
  const more = objects.length > MAX_OBJECTS ? [`… and ${objects.length - MAX_OBJECTS} more`] : [];
  const list = [...objects.slice(0, MAX_OBJECTS), ...more].map(it => `- ${it}`).join('\n');
  const count = objects.length === 1 ? 'is one object' : `are ${objects.length} objects`;
  return `Against this policy ${count} ${where}:\n\n${list}`;
}

function nameOf({ location: { object } }: PolicyResult): string {
  const { kind, namespace, name = '' } = object;
  return `${plainMarkdown(kind)} ${codeSpan(`${namespace === undefined ? '' : `${namespace}/`}${name}`)}`;
}
