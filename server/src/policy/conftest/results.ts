import { largest, smallest } from '../../base/manyItems';
import { jsonText } from '../../base/printed';
import { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../../workspace/object';
import { locationOfMessage } from '../messageLocation';
import type { PolicyFileProblem } from '../policySet';
import { type RegoError, sentenceOf, spanOfRegoError } from '../regoText';
import type { PolicyResult } from '../result';
import type { TestedDocument } from './documents';
import type { ConftestSettings } from './settings';

/** The engine's results for one file in one namespace. */
export interface ConftestResult {
  /** The id of the request; '' when all files were evaluated together. */
  readonly id: string;
  readonly path: string;
  readonly namespace: string;
  readonly failures: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly errors?: readonly RuleError[];
}

/** Why a rule could not be evaluated; its location names a module by uri. */
export interface RuleError extends RegoError {
  readonly rule?: string;
}

export const PARSER_ERROR = 'conftest_parser_error';

/**
 * Whether a rule is not evaluated again after this error: it reached a limit, or it reads a file that does not exist.
 */
export const endsRule = ({ code }: RegoError): boolean => code === 'eval_cancel_error' || code === PARSER_ERROR;

interface Finding {
  readonly msg: string;
  readonly rule: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A rule of a module: its package (`data.main`), its name as written, and its row, from 1. */
export interface RegoRule {
  readonly package: string;
  readonly name: string;
  /** Uri of the module. */
  readonly file: string;
  readonly row: number;
}

/** What results are located with. */
export interface ResultContext {
  readonly settings: ConftestSettings;
  readonly rules: readonly RegoRule[];
  /** Rego by uri. */
  readonly modules: ReadonlyMap<string, string>;
  /** Maps the engine's name of a module to its uri. */
  readonly uriOf: (module: string) => string;
}

/** `deny` in package main; rules of other packages are prefixed with the package. */
export const policyName = (namespace: string, rule: string): string =>
  namespace === 'main' ? rule : `${namespace}.${rule}`;

/** The results for one document, each at the object that its message is about. */
export function resultsOfDocument(
  { objects, nonObject }: TestedDocument,
  results: readonly ConftestResult[],
  context: ResultContext,
): readonly PolicyResult[] {
  return results.flatMap(result => [
    ...errorsOf(result, context).flatMap(it => (objects[0] === undefined ? [] : [errorAt(objects[0], it)])),
    ...locatedFindings(result, context).flatMap(located => {
      const object = namedObject(objects, located.finding) ?? objects[0];
      if (object === undefined) return [];
      const found = resultAt(object, located);
      if (nonObject === undefined) return [found];
      const at = { object, at: FieldPath.of('kind'), part: 'value' } as const;
      return [{ ...found, location: at, message: `${found.message} (${NON_OBJECT_NOTES[nonObject]})` }];
    }),
  ]);
}

const NON_OBJECT_NOTES: Readonly<Record<NonNullable<TestedDocument['nonObject']>, string>> = {
  empty: 'said of an empty document of this file, which Conftest tests as well',
  other: 'said of a document of this file that is no object of Kubernetes',
};

/** The results for all documents together: at the object that a message names, else at the rule. */
export function resultsOfAll(
  documents: readonly TestedDocument[],
  results: readonly ConftestResult[],
  context: ResultContext,
): { readonly results: readonly PolicyResult[]; readonly inFiles: readonly PolicyFileProblem[] } {
  const objects = documents.flatMap(it => it.objects);
  const located = results
    .flatMap(it => locatedFindings(it, context))
    .map(finding => ({ finding, object: namedObject(objects, finding.finding) }));
  return {
    results: located.flatMap(({ finding, object }) => (object === undefined ? [] : [resultAt(object, finding)])),
    inFiles: [
      ...results
        .flatMap(it => errorsOf(it, context))
        .map(({ policy, source, message }) => ({
          ...source,
          code: `conftest/${policy}`,
          severity: 'error' as const,
          message,
        })),
      ...located.flatMap(({ finding: { finding, policy, severity, source }, object }) =>
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

/** Errors about the input. Those that end a rule are reported once, by the program. */
const errorsOf = ({ namespace, errors = [] }: ConftestResult, context: ResultContext): readonly LocatedError[] =>
  errors.filter(it => !endsRule(it)).map(it => locatedError(namespace, it, context));

/** An error at its position in the Rego, or else at its rule. */
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
  const sentence = sentenceOf(error).replace(/(?<!\s)\s*\n\s*/g, ' ');
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
  context: ResultContext,
): readonly LocatedFinding[] {
  const { settings, rules, modules } = context;
  const locate = (finding: Finding, severity: LocatedFinding['severity']): LocatedFinding => {
    const rule = ruleWithMessage(finding.msg, rulesNamed(namespace, finding.rule, rules), context);
    const text = rule && modules.get(rule.file);
    const source = rule && text !== undefined ? { uri: rule.file, span: lineSpan(text, rule.row) } : undefined;
    return { finding, policy: policyName(namespace, finding.rule), severity, source };
  };
  return [
    ...failures.map(it => locate(it, settings.noFail === true ? 'warning' : 'error')),
    ...warnings.map(it => locate(it, settings.failOnWarn === true && settings.noFail !== true ? 'error' : 'warning')),
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

/** The object that a finding names. Objects of the same name are told apart by kind, namespace and file. */
function namedObject(objects: readonly WorkspaceObject[], { msg, metadata }: Finding): WorkspaceObject | undefined {
  if (objects.length < 2) return objects[0];
  const words = new Set([msg, jsonText(metadata ?? {})].join(' ').match(/\w(?:[\w.-]*\w)?/g) ?? []);
  const ranked = objects.map(object => {
    const { name = '', namespace = '', kind, manifest } = object;
    const more = [kind, kind.toLowerCase(), namespace, manifest.uri.slice(manifest.uri.lastIndexOf('/') + 1)];
    return { object, rank: words.has(name) ? 1 + more.filter(it => words.has(it)).length : 0 };
  });
  const best = largest(ranked.map(it => it.rank));
  return best === 0 ? undefined : ranked.find(it => it.rank === best)?.object;
}

/** The first rule with a name. */
export function ruleNamed(namespace: string, rule: string, rules: readonly RegoRule[]): RegoRule | undefined {
  return rulesNamed(namespace, rule, rules)[0];
}

const rulesNamed = (namespace: string, rule: string, rules: readonly RegoRule[]): readonly RegoRule[] =>
  rules.filter(it => it.package === `data.${namespace}` && it.name.split(/[.[]/)[0] === rule);

/**
 * Of several rules with the same name, the one whose text contains the message; `sprintf` formats match what they can
 * print. Falls back to the first.
 */
function ruleWithMessage(
  message: string,
  candidates: readonly RegoRule[],
  { rules, modules }: ResultContext,
): RegoRule | undefined {
  if (candidates.length < 2) return candidates[0];
  const says = (rule: RegoRule): boolean => {
    const next = smallest(rules.filter(it => it.file === rule.file && it.row > rule.row).map(it => it.row));
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

/** Whether a format string can print a message: its literal parts occur in order. */
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

/** The range of a row without indentation and trailing space. */
export function lineSpan(text: string, row: number): { readonly start: number; readonly end: number } {
  const lines = text.split('\n');
  const start = lines.slice(0, row - 1).reduce((sum, it) => sum + it.length + 1, 0);
  const line = lines[row - 1] ?? '';
  const indent = line.length - line.trimStart().length;
  return { start: start + indent, end: start + Math.max(indent + 1, line.trimEnd().length) };
}
