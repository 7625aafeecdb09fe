import { t } from '../../../base/l10n';
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
  if (byEnvironment.length === 0) return againstIn(results, t('the workspace'));
  return byEnvironment.map(it => againstIn(it.results, codeSpan(it.name))).join('\n\n');
}

function againstIn(results: readonly PolicyResult[], where: string): string {
  const objects = [...new Set(results.filter(isAgainst).map(nameOf))];
  if (objects.length === 0) return t`No object of ${where} is against this policy.`;
  const more = objects.length > MAX_OBJECTS ? [t`… and ${objects.length - MAX_OBJECTS} more`] : [];
  const list = [...objects.slice(0, MAX_OBJECTS), ...more].map(it => `- ${it}`).join('\n');
  const told =
    objects.length === 1
      ? t`Against this policy is one object of ${where}:`
      : t`Against this policy are ${objects.length} objects of ${where}:`;
  return `${told}\n\n${list}`;
}

function nameOf({ location: { object } }: PolicyResult): string {
  const { kind, namespace, name = '' } = object;
  return `${plainMarkdown(kind)} ${codeSpan(`${namespace === undefined ? '' : `${namespace}/`}${name}`)}`;
}
