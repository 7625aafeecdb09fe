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
    const source = ruleNamed(namespace, finding.rule, rules);
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

/** The first rule of a name: which of several said something is not known. */
export function ruleNamed(namespace: string, rule: string, rules: readonly RegoRule[]): RegoRule | undefined {
  return rules.find(it => it.package === `data.${namespace}` && it.name.split(/[.[]/)[0] === rule);
}

/** What is written in a row. */
export function lineSpan(text: string, row: number): { readonly start: number; readonly end: number } {
  const lines = text.split('\n');
  const start = lines.slice(0, row - 1).reduce((sum, it) => sum + it.length + 1, 0);
  const line = lines[row - 1] ?? '';
  const indent = line.length - line.trimStart().length;
  return { start: start + indent, end: start + Math.max(indent + 1, line.trimEnd().length) };
}
