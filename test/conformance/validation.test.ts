import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Settings } from '../../server/src/analysis/configuration/settings';
import type { JsonObject } from '../../server/src/base/json';
import type { Category, Problem } from '../../server/src/rules/framework/problem';
import { analysisOf } from '../analysis/analyse';
import { sampled, sizedFor } from '../support/thorough';
import { type Change, changed } from './mutate';

/** The answer of the API server's own code for a case. */
interface Expectation {
  readonly decode: readonly { readonly type: string; readonly field?: string }[];
  readonly errors: readonly { readonly type: string; readonly field: string }[];
  readonly warnings: readonly string[];
  readonly dropped: readonly string[];
  readonly fatal?: true;
}

interface Case {
  readonly id: string;
  readonly base: string;
  readonly changes: readonly Change[];
  /** By minor; other minors answer like the newest. */
  readonly expect: Readonly<Record<string, Expectation>>;
}

const folder = join(import.meta.dirname, 'validation');
const bases = new Map(
  readdirSync(join(folder, 'bases')).map(it => [
    basename(it, '.yaml'),
    parse(readFileSync(join(folder, 'bases', it), 'utf8')) as JsonObject,
  ]),
);
const cases = readFileSync(join(folder, 'cases.jsonl'), 'utf8')
  .split('\n')
  .filter(it => it !== '')
  .map(it => JSON.parse(it) as Case);
const minors = ['1.37', '1.36'];
/** The rules that are asked: those whose problems are compared, and in a thorough run all of them beside. */
const categories: readonly Category[] = ['syntax', 'decode', 'apiserver', 'dropped', 'warning'];
const asking: Partial<Settings> = sizedFor({ thorough: {}, quick: { only: categories } });

/** All cases for the newest minor; for an older one those with an answer of its own, and a sample of the others. */
function casesOf(minor: string): readonly Case[] {
  if (minor === minors[0]) return cases;
  const isOwn = (it: Case): boolean => minor in it.expect;
  return [
    ...cases.filter(isOwn),
    ...sampled(
      cases.filter(it => !isOwn(it)),
      12,
    ),
  ];
}

/** Problems in the form of the labels. */
function reportedBy(problems: readonly Problem[]) {
  const of = (category: Problem['category']) => problems.filter(it => it.category === category);
  const sorted = (texts: readonly string[]) => [...texts].sort();
  return {
    errors: sorted(of('apiserver').map(it => `${it.errorType} ${it.fieldPath}`)),
    dropped: sorted([...new Set(of('dropped').map(it => wholeStatus(it.fieldPath ?? '')))]),
    warnings: sorted(of('warning').map(it => it.message)),
  };
}

const wholeStatus = (field: string): string => (field.split('.')[0] === 'status' ? 'status' : field);

function expected({ errors, dropped, warnings }: Expectation) {
  return {
    errors: errors.map(it => `${it.type} ${it.field}`).sort(),
    dropped: [...new Set(dropped.map(wholeStatus))].sort(),
    warnings: [...warnings].sort(),
  };
}

/** The difference between the label of a case and Berth's problems; undefined if there is none. */
function missOf({ id, changes, expect: labels }: Case, minor: string, problems: readonly Problem[]) {
  const label = labels[minor] ?? labels[minors[0] as string];
  if (label === undefined) return { id, changes, want: 'a label' };
  if (label.fatal) {
    const isRefused = problems.some(it => it.category === 'decode' || it.category === 'syntax');
    if (isRefused && problems.every(it => it.category !== 'apiserver')) return undefined;
    return { id, changes, want: 'refused by the decoder' };
  }
  const reported = reportedBy(problems);
  const want = expected(label);
  // The server warns only about accepted objects; Berth may do so earlier.
  const warnings = label.errors.length > 0 && label.warnings.length === 0 ? reported.warnings : want.warnings;
  return JSON.stringify(reported) === JSON.stringify({ ...want, warnings })
    ? undefined
    : { id, changes, want, reported };
}

describe.each(minors)('the answers of the API server of %s', minor => {
  const asked = casesOf(minor);
  const texts = asked.map(it => [`${it.id}.yaml`, JSON.stringify(changed(bases.get(it.base) ?? {}, it.changes))]);
  const analysis = analysisOf(Object.fromEntries(texts), { ...asking, kubernetesVersion: minor });

  it.each([...bases.keys()])('%s', base => {
    const misses = asked
      .filter(it => it.base === base)
      .flatMap(it => missOf(it, minor, analysis.quickDiagnostics(`${it.id}.yaml`)) ?? []);
    expect(misses).toEqual([]);
  });
});
