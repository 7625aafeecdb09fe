import type { WorkspaceObject } from '../../workspace/workspace';
import { placeOfMessage } from '../blame';
import type { RegoError } from '../regoText';
import type { PolicyResult } from '../result';

/** What the engine says of one document in one namespace. */
export interface ConftestResult {
  readonly path: string;
  readonly namespace: string;
  readonly failures: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly errors?: readonly (RegoError & { readonly rule?: string })[];
}

interface Finding {
  readonly msg: string;
  readonly rule: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A rule of a module: its package (`data.main`), its name as it is written, and its row, from 1. */
export interface RegoRule {
  readonly package: string;
  readonly name: string;
  readonly file: string;
  readonly row: number;
}

/** `deny` of the package main; rules of other packages have its name before them. */
export const policyName = (namespace: string, rule: string): string =>
  namespace === 'main' ? rule : `${namespace}.${rule}`;

export function resultsOfDocument(
  object: WorkspaceObject,
  { namespace, failures, warnings }: ConftestResult,
  rules: readonly RegoRule[],
  modules: ReadonlyMap<string, string>,
): readonly PolicyResult[] {
  const told = (finding: Finding, severity: 'error' | 'warning'): PolicyResult => {
    const source = ruleThatSays(finding.msg, rulesNamed(namespace, finding.rule, rules), rules, modules);
    const text = source && modules.get(source.file);
    return {
      engine: 'conftest',
      policy: policyName(namespace, finding.rule),
      outcome: severity === 'error' ? 'fail' : 'warn',
      severity,
      message: finding.msg,
      place: placeOfMessage(object, finding.msg, finding.metadata),
      ...(text !== undefined && source && { sourceText: { uri: source.file, span: lineSpan(text, source.row) } }),
    };
  };
  return [...failures.map(it => told(it, 'error')), ...warnings.map(it => told(it, 'warning'))];
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
function ruleThatSays(
  message: string,
  candidates: readonly RegoRule[],
  rules: readonly RegoRule[],
  modules: ReadonlyMap<string, string>,
): RegoRule | undefined {
  if (candidates.length < 2) return candidates[0];
  const says = (rule: RegoRule): boolean => {
    const next = Math.min(...rules.filter(it => it.file === rule.file && it.row > rule.row).map(it => it.row));
    const text = (modules.get(rule.file) ?? '')
      .split('\n')
      .slice(rule.row - 1, next - 1)
      .join('\n');
    return [...text.matchAll(/"((?:[^"\\]|\\.){3,})"|`([^`]{3,})`/g)].some(([, quoted, raw]) =>
      patternOf(quoted ?? raw ?? '').test(message),
    );
  };
  return candidates.find(says) ?? candidates[0];
}

const patternOf = (format: string): RegExp =>
  new RegExp(
    `^${format
      .split(/%[-+# 0-9.]*[a-zA-Z]/)
      .map(it => it.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );

/** What is written in a row. */
export function lineSpan(text: string, row: number): { readonly start: number; readonly end: number } {
  const lines = text.split('\n');
  const start = lines.slice(0, row - 1).reduce((sum, it) => sum + it.length + 1, 0);
  const line = lines[row - 1] ?? '';
  const indent = line.length - line.trimStart().length;
  return { start: start + indent, end: start + Math.max(indent + 1, line.trimEnd().length) };
}
