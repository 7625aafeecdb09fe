import { asList, asObject, asText, type JsonObject } from '../../../base/json';
import { t } from '../../../base/l10n';
import { FieldPath } from '../../../manifest/fieldPath';
import { fieldAt, valueAt } from '../../../manifest/valueAt';
import { controllersOf } from '../../../policy/kyverno/policies/autogen';
import { failureAction, kindsOf, kyvernoPolicyOf } from '../../../policy/kyverno/policies/policy';
import type { PolicyResult } from '../../../policy/result';
import { codeSpan, plainMarkdown } from '../../../text/markdown';
import type { WorkspaceObject } from '../../../workspace/object';
import type { Hover } from '../annotations';
import { type EnvironmentResults, type EvaluatedPolicy, policyAt } from './evaluatedPolicy';
import { type PolicyTally, type ReportScope, tallyOf, weighed } from './policyTally';

/** Fields that select objects, or define what happens to them. */
const FIELDS: readonly RegExp[] = [
  /^spec\.(match|matchConstraints|matchConditions|enforcementAction|validationActions)\b/,
  /^spec\.validationFailureAction(Overrides)?\b/,
  /^spec\.rules\[\d+\]\.(match|exclude|preconditions)\b/,
  /^spec\.rules\[\d+\]\.validate\.failureAction(Overrides)?\b/,
];

/** The maximum number of listed names per kind. */
const MAX_NAMES = 5;

/** Hover on selecting fields of a policy: the objects that they select, and what happens on a failure. */
export function policySelectionHover(
  environments: readonly EnvironmentResults[],
  uri: string,
  offset: number,
): Hover | undefined {
  const evaluated = policyAt(environments, uri, offset);
  if (evaluated === undefined || !FIELDS.some(it => it.test(evaluated.at.path.toString()))) return undefined;
  const { policy, at } = evaluated;
  const rule = ruleAround(policy, at.path);
  const sentences = [
    ...selectionInWords(evaluated, rule),
    ...actionInWords(evaluated, rule),
    ...controllersInWords(policy, rule),
  ];
  if (sentences.length === 0) return undefined;
  return { span: policy.manifest.spanOf(at.path, at.part), markdown: sentences.join('\n\n') };
}

/** The Kyverno rule around a path. */
function ruleAround({ group }: WorkspaceObject, { segments }: FieldPath): FieldPath | undefined {
  const [spec, rules, index] = segments;
  return group === 'kyverno.io' && spec === 'spec' && rules === 'rules' && typeof index === 'number'
    ? FieldPath.of(spec, rules, index)
    : undefined;
}

function selectionInWords(
  { scope, results, byEnvironment }: EvaluatedPolicy,
  rule: FieldPath | undefined,
): readonly string[] {
  if (results === undefined) return [];
  if (byEnvironment.length === 0) return tallyInWords(resultsOfRule(results, rule), scope, t('this workspace'));
  return byEnvironment.flatMap(it => tallyInWords(resultsOfRule(it.results, rule), scope, codeSpan(it.name)));
}

const resultsOfRule = (results: readonly PolicyResult[], rule: FieldPath | undefined): readonly PolicyResult[] =>
  results.filter(it => rule === undefined || it.source?.at.toString().startsWith(`${rule}.`));

function tallyInWords(results: readonly PolicyResult[], scope: ReportScope, where: string): readonly string[] {
  const tally = tallyOf(results);
  const { rejected, warned, noted, skipped } = tally;
  const against = [...rejected, ...warned, ...noted];
  const left =
    skipped.length === 1
      ? t`1 more is matched and left alone: ${objectsInWords(skipped)}.`
      : t`${skipped.length} more are matched and left alone: ${objectsInWords(skipped)}.`;
  return [
    ...(scope === 'all' ? [selectedInWords(tally, where)] : []),
    ...(against.length > 0
      ? [scope === 'deletes' ? t`It deletes: ${objectsInWords(against)}.` : t`Against it: ${objectsInWords(against)}.`]
      : []),
    ...(against.length === 0 && scope === 'deletes'
      ? [t`It deletes nothing of ${where}, as far as it was asked.`]
      : []),
    ...(against.length === 0 && scope === 'against' ? [t`Nothing of ${where} is against it.`] : []),
    ...(skipped.length > 0 ? [left] : []),
  ];
}

function selectedInWords(tally: PolicyTally, where: string): string {
  const all = weighed(tally);
  if (all.length === 0) return t`It selects nothing of ${where}, as far as it was asked.`;
  return all.length === 1
    ? t`It selects one object of ${where}: ${objectsInWords(all)}.`
    : t`It selects ${all.length} objects of ${where}: ${objectsInWords(all)}.`;
}

/** "2 × Deployment (`a`, `b`), 1 × Pod (`c`)" */
function objectsInWords(results: readonly PolicyResult[]): string {
  const byKind = new Map<string, string[]>();
  for (const { location: place } of results) {
    const { kind, namespace, name = '' } = place.object;
    const names = byKind.get(kind) ?? [];
    byKind.set(kind, [...names, codeSpan(`${namespace === undefined ? '' : `${namespace}/`}${name}`)]);
  }
  return [...byKind]
    .map(([kind, names]) => {
      const more = names.length > MAX_NAMES ? ', …' : '';
      return `${names.length} × ${plainMarkdown(kind)} (${names.slice(0, MAX_NAMES).join(', ')}${more})`;
    })
    .join(', ');
}

const ACTIONS: Readonly<Record<string, () => string>> = {
  Deny: () => t('refuses the request'),
  Warn: () => t('warns who asks, and lets it in'),
  Audit: () => t('notes it in the audit log, and lets it in'),
  deny: () => t('is refused'),
  warn: () => t('is let in with a warning'),
  dryrun: () => t('is let in, and told in the status of the constraint'),
  scoped: () => t('meets with what `scopedEnforcementActions` says'),
};

/** "refuses the request (`Deny`)"; none for an action that is not known. */
function inWords(action: string): readonly string[] {
  const words = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  return words === undefined ? [] : [`${words()} (\`${action}\`)`];
}

function actionInWords({ policy, bindings }: EvaluatedPolicy, rule: FieldPath | undefined): readonly string[] {
  const spec = fieldAt(policy.manifest.value, 'spec');
  if (policy.group === 'constraints.gatekeeper.sh') {
    const action = asText(fieldAt(spec, 'enforcementAction')) ?? 'deny';
    return inWords(action).map(it => t`What is against it ${it}.`);
  }
  if (bindings?.length === 0) return [t('No binding names this policy, so that it is asked about nothing.')];
  if (bindings !== undefined)
    return bindings.flatMap(it => validationActions(it, words => t`The binding ${codeSpan(it.name ?? '')} ${words}.`));
  return policy.group === 'kyverno.io'
    ? kyvernoAction(policy, rule)
    : validationActions(policy, words => t`A failure ${words}.`);
}

/** The actions on failure. Kyverno's default is Deny. */
function validationActions({ group, manifest }: WorkspaceObject, said: (words: string) => string): readonly string[] {
  const written = asList(fieldAt(manifest.value, 'spec', 'validationActions')).flatMap(it => asText(it) ?? []);
  const actions = written.length === 0 && group === 'policies.kyverno.io' ? ['Deny'] : written;
  const words = actions.flatMap(inWords);
  return words.length === 0 ? [] : [said(words.join(', '))];
}

function kyvernoAction(object: WorkspaceObject, rule: FieldPath | undefined): readonly string[] {
  const policy = kyvernoPolicyOf(object);
  const fields = rule === undefined ? {} : asObject(valueAt(object.manifest.value, rule));
  if (policy === undefined || fields === undefined) return [];
  const hasOverrides =
    asList(policy.spec.validationFailureActionOverrides).length +
      asList(fieldAt(fields as JsonObject, 'validate', 'failureActionOverrides')).length >
    0;
  const action = failureAction(policy, fields as JsonObject, '', () => false);
  const words = {
    enforce: t('What fails is refused (`Enforce`)'),
    audit: t('What fails is let in, and reported (`Audit`)'),
  };
  return [`${words[action]}${hasOverrides ? t('; some namespaces have an action of their own') : ''}${t('.')}`];
}

function controllersInWords(object: WorkspaceObject, rule: FieldPath | undefined): readonly string[] {
  const policy = kyvernoPolicyOf(object);
  const match = rule && asObject(fieldAt(valueAt(object.manifest.value, rule), 'match'));
  if (policy === undefined || !match) return [];
  const reaches = kindsOf(match as JsonObject).some(it => it.split('/').includes('Pod'));
  if (!reaches) return [];
  const controllers = controllersOf(policy).filter(it => it !== 'none');
  return [
    controllers.length === 0
      ? t('It is asked about Pods alone: Kyverno makes no rules of it for their controllers.')
      : t`Kyverno makes the same rule for the templates of ${plainMarkdown(controllers.join(', '))} (${'`autogen-…`'}).`,
  ];
}
