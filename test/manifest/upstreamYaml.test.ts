import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../server/src/base/json';
import { parseManifests } from '../../server/src/manifest/parse';
import table from './upstreamYaml.json';

/** Texts with the result of sigs.k8s.io/yaml 1.6 (YAMLToJSON), or null and its error. */
const rows = table as [text: string, json: string | null, error?: string][];

/** JSON as Go prints it, with its numbers compared as numbers and integers of any size exactly. */
function canonical(value: JsonValue | undefined): string {
  if (value === undefined) return 'null';
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) > 2 ** 53) return `${value}`;
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value).sort();
    return `{${keys.map(key => `${JSON.stringify(key)}:${canonical((value as never)[key])}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

function canonicalJson(json: string): string {
  const exact = json.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g, it => (it[0] === '"' ? it : `"\\u0001${it}"`));
  const value = JSON.parse(exact, (_, it) => (typeof it === 'string' && it[0] === '\u0001' ? BigInt(it.slice(1)) : it));
  return canonical(value);
}

/** Upstream silently stops at a second root, or has other line breaks; here the result is a problem, or text. */
const READ_DIFFERENTLY = new Set(['v: [?a]', ' a: 1\nb: 2', 'a: \u0085', '{a: 1} b', '{a: 1}\nb: 2', ' - 1\n- 2']);

/** Refused upstream, read without a problem here: known gaps. */
const NOT_REFUSED = new Set([
  'v: [a?b, a?]',
  'v: {18446744073709551615: a}',
  'v: "\\/"',
  'v: "\\ud83d\\ude00"',
  'v: "\\ud83d"',
  '18446744073709551615: 1',
  '%YAML 1.2\n---\na: yes',
  'a: 1\n\t\nb: 2',
  'a: \u2028b',
  '{"a"\n:1}',
  '{a\n: 1}',
  'a: |\n   \n  x',
  'a: &x &y 1',
  'a: !!str !!int 1',
]);

describe('text is read as the API server reads it', () => {
  test.each(rows.filter(row => row[1] !== null && !READ_DIFFERENTLY.has(row[0])))('%j', (text, json) => {
    const [document] = parseManifests('a.yaml', text).documents;
    expect(document?.problems.filter(it => it.severity === 'error') ?? []).toEqual([]);
    expect(canonical(document?.value)).toBe(canonicalJson(json!));
  });
});

describe('text that the API server refuses has a problem', () => {
  test.each(rows.filter(row => row[1] === null && !NOT_REFUSED.has(row[0])))('%j', text => {
    const file = parseManifests('a.yaml', text);
    expect([...file.problems, ...file.documents.flatMap(it => it.problems)]).not.toEqual([]);
  });
});
