import { jsonText } from '../../base/printed';
import { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../../workspace/object';
import { locationOfMessage } from '../messageLocation';
import type { PolicyFileProblem } from '../policySet';
import { type RegoError, sentenceOf, spanOfRegoError } from '../regoText';
import type { PolicyResult } from '../result';
import type { TestedDocument } from './documents';
import type { ConftestSettings } from './settings';

/** What the engine says of one file in one namespace. */
export interface ConftestResult {
  /** As it was asked with; '' of everything together. */
  readonly id: string;
  readonly path: string;
  readonly namespace: string;
  readonly failures: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly errors?: readonly RuleError[];
}

/** Why a rule could not be evaluated, in a module by its uri. */
export interface RuleError extends RegoError {
  readonly rule?: string;
}

export const PARSER_ERROR = 'conftest_parser_error';

/** Whether a rule is asked no more after an error: it came to a bound, or asks for what is not there. */
export const endsRule = ({ code }: RegoError): boolean => code === 'eval_cancel_error' || code === PARSER_ERROR;

interface Finding {
  readonly msg: string;
  readonly rule: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A rule of a module: its package (`data.main`), its name as it is written, and its row, from 1. */
export interface RegoRule {
  readonly package: string;
  readonly name: string;
  /** Uri of the module. */
  readonly file: string;
  readonly row: number;
}

/** What results are told with. */
export interface ResultContext {
  readonly settings: ConftestSettings;
  readonly rules: readonly RegoRule[];
  /** Rego by uri. */
  readonly modules: ReadonlyMap<string, string>;
  /** The uri of a module by the name that the engine has for it. */
  readonly uriOf: (module: string) => string;
}

/** `deny` of the package main; rules of other packages have its name before them. */
export const policyName = (namespace: string, rule: string): string =>
  namespace === 'main' ? rule : `${namespace}.${rule}`;

/** What is said of one document, at the object that the message is about. */
export function resultsOfDocument(
  { objects, nonObject: stranger }: TestedDocument,
  results: readonly ConftestResult[],
  judged: ResultContext,
): readonly PolicyResult[] {
  return results.flatMap(result => [
    ...errorsOf(result, judged).flatMap(it => (objects[0] === undefined ? [] : [errorAt(objects[0], it)])),
    ...locatedFindings(result, judged).flatMap(told => {
      const object = namedObject(objects, told.finding) ?? objects[0];
      if (object === undefined) return [];
      const found = resultAt(object, told);
      if (stranger === undefined) return [found];
      const at = { object, at: FieldPath.of('kind'), part: 'value' } as const;
      return [{ ...found, location: at, message: `${found.message} (${NON_OBJECT_NOTES[stranger]})` }];
    }),
  ]);
}

const NON_OBJECT_NOTES: Readonly<Record<NonNullable<TestedDocument['nonObject']>, string>> = {
  empty: 'said of an empty document of this file, which Conftest tests as well',
  other: 'said of a document of this file that is no object of Kubernetes',
};

/** What is said of all documents together: at the object that a message names, else at the rule that says it. */
export function resultsOfAll(
  documents: readonly TestedDocument[],
  results: readonly ConftestResult[],
  judged: ResultContext,
): { readonly results: readonly PolicyResult[]; readonly inFiles: readonly PolicyFileProblem[] } {
  const objects = documents.flatMap(it => it.objects);
  const placed = results
    .flatMap(it => locatedFindings(it, judged))
    .map(told => ({ told, object: namedObject(objects, told.finding) }));
  return {
    results: placed.flatMap(({ told, object }) => (object === undefined ? [] : [resultAt(object, told)])),
    inFiles: [
      ...results
        .flatMap(it => errorsOf(it, judged))
        .map(({ policy, source, message }) => ({
          ...source,
          code: `conftest/${policy}`,
          severity: 'error' as const,
          message,
        })),
      ...placed.flatMap(({ told: { finding, policy, severity, source }, object }) =>
        object === undefined && source !== undefined
          ? [{ ...source, code: `conftest/${policy}`, severity, message: finding.msg }]
          : [],
      ),
    ],
  };
}

interface LocatedError {
  readonly policy: string;
  readonly source: NonNullable<PolicyResult['sourceText']>;
  readonly message: string;
}

/** Errors that are about what was asked; those that end a rule are told of it once. */
const errorsOf = ({ namespace, errors = [] }: ConftestResult, judged: ResultContext): readonly LocatedError[] =>
  errors.filter(it => !endsRule(it)).map(it => locatedError(namespace, it, judged));

/** An error at its place in the Rego, or else at its rule. */
export function locatedError(
  namespace: string,
  error: RuleError,
  { rules, modules, uriOf }: ResultContext,
): LocatedError {
  const rule = error.rule === undefined ? undefined : ruleNamed(namespace, error.rule, rules);
  const own = error.location?.file;
  const uri = own === undefined ? (rule?.file ?? [...modules.keys()][0] ?? '') : uriOf(own);
  const text = modules.get(uri) ?? '';
  const span = own === undefined ? lineSpan(text, rule?.row ?? 1) : spanOfRegoError(text, error);
  const sentence = sentenceOf(error).replace(/\s*\n\s*/g, ' ');
  return {
    policy: policyName(namespace, error.rule ?? 'rego'),
    source: { uri, span },
    message: `This rule cannot be evaluated here: ${sentence}`,
  };
}

const errorAt = (object: WorkspaceObject, { policy, source, message }: LocatedError): PolicyResult => ({
  engine: 'conftest',
  policy,
  outcome: 'error',
  severity: 'error',
  message,
  location: { object, at: FieldPath.of('kind'), part: 'value' },
  sourceText: source,
});

interface LocatedFinding {
  readonly finding: Finding;
  readonly policy: string;
  readonly severity: 'error' | 'warning';
  readonly source: PolicyResult['sourceText'];
}

function locatedFindings(
  { namespace, failures, warnings }: ConftestResult,
  judged: ResultContext,
): readonly LocatedFinding[] {
  const { settings, rules, modules } = judged;
  const told = (finding: Finding, severity: LocatedFinding['severity']): LocatedFinding => {
    const rule = ruleWithMessage(finding.msg, rulesNamed(namespace, finding.rule, rules), judged);
    const text = rule && modules.get(rule.file);
    const source = rule && text !== undefined ? { uri: rule.file, span: lineSpan(text, rule.row) } : undefined;
    return { finding, policy: policyName(namespace, finding.rule), severity, source };
  };
  return [
    ...failures.map(it => told(it, settings.noFail === true ? 'warning' : 'error')),
    ...warnings.map(it => told(it, settings.failOnWarn === true && settings.noFail !== true ? 'error' : 'warning')),
  ];
}

const resultAt = (object: WorkspaceObject, { finding, policy, severity, source }: LocatedFinding): PolicyResult => ({
  engine: 'conftest',
  policy,
  outcome: severity === 'error' ? 'fail' : 'warn',
  severity,
  message: finding.msg,
  location: locationOfMessage(object, finding.msg, finding.metadata),
  ...(source && { sourceText: source }),
});

/** The object whose name a finding tells; its kind, its namespace and its file tell objects of one name apart. */
function namedObject(objects: readonly WorkspaceObject[], { msg, metadata }: Finding): WorkspaceObject | undefined {
  if (objects.length < 2) return objects[0];
  const words = new Set([msg, jsonText(metadata ?? {})].join(' ').match(/\w(?:[\w.-]*\w)?/g) ?? []);
  const ranked = objects.map(object => {
    const { name = '', namespace = '', kind, manifest } = object;
    const more = [kind, kind.toLowerCase(), namespace, manifest.uri.slice(manifest.uri.lastIndexOf('/') + 1)];
    return { object, rank: words.has(name) ? 1 + more.filter(it => words.has(it)).length : 0 };
  });
  const best = Math.max(...ranked.map(it => it.rank));
  return best === 0 ? undefined : ranked.find(it => it.rank === best)?.object;
}

/** The first rule of a name. */
export function ruleNamed(namespace: string, rule: string, rules: readonly RegoRule[]): RegoRule | undefined {
  return rulesNamed(namespace, rule, rules)[0];
}

const rulesNamed = (namespace: string, rule: string, rules: readonly RegoRule[]): readonly RegoRule[] =>
  rules.filter(it => it.package === `data.${namespace}` && it.name.split(/[.[]/)[0] === rule);

/**
 * Of several rules with one name the one in whose text the message is written; `sprintf` patterns match what they may
 * print. The first one where none has it.
 */
function ruleWithMessage(
  message: string,
  candidates: readonly RegoRule[],
  { rules, modules }: ResultContext,
): RegoRule | undefined {
  if (candidates.length < 2) return candidates[0];
  const says = (rule: RegoRule): boolean => {
    const next = Math.min(...rules.filter(it => it.file === rule.file && it.row > rule.row).map(it => it.row));
    const text = (modules.get(rule.file) ?? '')
      .split('\n')
      .slice(rule.row - 1, next - 1)
      .join('\n');
    return [...text.matchAll(/"((?:[^"\\]|\\.){3,})"|`([^`]{3,})`/g)].some(([, quoted, raw]) =>
      mayPrint(quoted ?? raw ?? '', message),
    );
  };
  return candidates.find(says) ?? candidates[0];
}

/** Whether a format could print a message: its words stand there in their order. */
function mayPrint(format: string, message: string): boolean {
  const words = format.split(/%[-+# 0-9.]*[a-zA-Z]/);
  const [first = '', ...rest] = words;
  if (rest.length === 0) return message === first;
  const last = rest.pop() ?? '';
  if (!message.startsWith(first) || !message.endsWith(last)) return false;
  let at = first.length;
  for (const word of rest) {
    const found = message.indexOf(word, at);
    if (found < 0) return false;
    at = found + word.length;
  }
  return at <= message.length - last.length;
}

/** What is written in a row. */
export function lineSpan(text: string, row: number): { readonly start: number; readonly end: number } {
  const lines = text.split('\n');
  const start = lines.slice(0, row - 1).reduce((sum, it) => sum + it.length + 1, 0);
  const line = lines[row - 1] ?? '';
  const indent = line.length - line.trimStart().length;
  return { start: start + indent, end: start + Math.max(indent + 1, line.trimEnd().length) };
}
