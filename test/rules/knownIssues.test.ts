import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { gateProblems } from '../../server/src/kube/load';
import { releaseOf, supportedMinors, versionIn, versionText } from '../../server/src/kube/version';
import { ISSUE_FUNCTIONS } from '../../server/src/rules/knownIssues/functions/table';
import {
  CERTAINTIES,
  COMPONENTS,
  HARMS,
  type IssueCheck,
  issueChecks,
  issueText,
} from '../../server/src/rules/knownIssues/knownIssue';
import { readPattern } from '../../server/src/rules/knownIssues/places';
import { isAffected, rangesInWords, readRange } from '../../server/src/rules/knownIssues/versions';
import { diagnose, worldOf } from '../support/check';
import { kubeFacts } from '../support/packs';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'server/src/rules/knownIssues/entries');
const ids = readdirSync(folder).map(name => name.replace(/\.yaml$/, ''));
const checks = new Map(issueChecks().map(check => [check.id, check]));
const fixtureOf = (id: string): string =>
  readFileSync(join(root, `test/fixtures/rules/known-issue/${id}.yaml`), 'utf8');
const kube = kubeFacts();
/** What else is found in a fixture of theirs, `rules.test.ts` tells. */
const ISSUES = ['known-issue'] as const;

const KEYS: readonly string[] = [
  ...['title', 'text', 'advice', 'assumes', 'links', 'component', 'kinds', 'versions', 'gates', 'gatesOff', 'harm'],
  ...['certainty', 'at', 'has', 'hasAny', 'includes', 'longerThan', 'mark', 'needs', 'lookup', 'when', 'function'],
];

describe('an entry of a known issue', () => {
  it.each(ids)('%s says all that is needed, and nothing else', id => {
    const written = parse(readFileSync(join(folder, `${id}.yaml`), 'utf8')) as Record<string, unknown>;
    expect(Object.keys(written).filter(key => !KEYS.includes(key))).toEqual([]);
    const check = checks.get(id)!;
    expect([COMPONENTS, HARMS, CERTAINTIES].map(all => (all as readonly string[]).length > 0)).not.toContain(false);
    expect(COMPONENTS).toContain(check.component);
    expect(HARMS).toContain(check.harm);
    expect(CERTAINTIES).toContain(check.certainty);
    expect(check.versions.filter(range => readRange(range) === undefined)).toEqual([]);
    expect(check.versions.length).toBeGreaterThan(0);
    expect(
      [...[check.at].flat(), ...(check.needs ?? [])].filter(pattern => readPattern(pattern) === undefined),
    ).toEqual([]);
  });

  it.each(ids)('%s is told in a title, two clauses and links', id => {
    const { title, text, advice, assumes, links } = issueText(id);
    expect(title).toMatch(/^[A-Z`"].*\.$/);
    expect(title.length).toBeLessThanOrEqual(120);
    for (const clause of [text, advice, assumes ?? 'none'])
      expect(clause).toMatch(/^[^A-Z].*[^.]$|^[A-Z]\w*[A-Z].*[^.]$/);
    expect(text.length).toBeLessThanOrEqual(260);
    expect(checks.get(id)?.certainty === 'partial').toBe(assumes !== undefined);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter(link => !/^[\w.-]+\/[\w.-]+#\d+$|^https:\/\//.test(link))).toEqual([]);
  });

  it.each(ids)('%s has conditions that can be evaluated, and gates that there are', id => {
    const { when, function: name, lookup = {}, gates = [], gatesOff = [] } = checks.get(id)!;
    expect(when === undefined || name === undefined).toBe(true);
    if (name !== undefined) expect(Object.keys(ISSUE_FUNCTIONS)).toContain(name);
    const expressions = [...(when === undefined ? [] : [when]), ...Object.values(lookup).map(wanted => wanted.name)];
    for (const expression of expressions) expect(kube.cel.issue(expression)).toHaveProperty('root');
    const minors = supportedMinors.map(minor => kubeFacts(minor));
    expect(
      [...gates, ...gatesOff].filter(gate => minors.every(it => gateProblems(it, { [gate]: true }).length > 0)),
    ).toEqual([]);
  });
});

describe('the fixture of a known issue', () => {
  it.each(ids)('%s has an object that hits and one that misses', id => {
    const text = fixtureOf(id);
    const code = `known-issue/${id}`;
    const hit = diagnose(text, { ...worldOf(text), only: ISSUES }).filter(problem => problem.code === code);
    const all = text.split(/^---$/m).length;
    expect(hit.length).toBeGreaterThan(0);
    expect(new Set(hit.map(problem => problem.document)).size).toBeLessThan(all);
    expect(hit.map(problem => problem.category)).not.toContain('policy');
  });

  it.each(ids)('%s hits at an affected version and not where it is mended', id => {
    const text = fixtureOf(id);
    const { minor: affected = '', ...world } = worldOf(text);
    const check = checks.get(id)!;
    expect(isAffected(versionIn(affected)!, check.versions)).toBe(true);
    const mended = /^# mended: (.*)$/m.exec(text)?.[1]?.split(/,\s*/) ?? [];
    expect(mended.length).toBeGreaterThan(0);
    if (mended[0] === 'nowhere') expect(mendedIn(check)).toEqual([]);
    else expect(mended.flatMap(version => codesAt(version, text, world))).not.toContain(`known-issue/${id}`);
  });
});

/** The newest releases of minors from the first affected one on that do not have an issue. */
function mendedIn({ versions }: IssueCheck): readonly string[] {
  const newest = supportedMinors.map(minor => releaseOf({ minor }));
  const first = newest.findIndex(release => isAffected(release, versions));
  return newest.slice(first).flatMap(it => (isAffected(it, versions) ? [] : [versionText(it)]));
}

function codesAt(version: string, text: string, world: ReturnType<typeof worldOf>): readonly string[] {
  const known = Object.keys(world.gates ?? {}).filter(gate => kubeFacts(version).gate(gate) !== undefined);
  const gates = Object.fromEntries(known.map(gate => [gate, true]));
  return diagnose(withoutNodes(text), { ...world, gates, minor: version, only: ISSUES }).map(problem => problem.code);
}

/** Nodes would have versions of their own. */
const withoutNodes = (text: string): string =>
  text
    .split(/^---$/m)
    .filter(document => !/^kind: Node$/m.test(document))
    .join('---');

describe('the versions of an issue', () => {
  it.each([
    [['<1.34.4'], 'up to 1.34.3'],
    [['>=1.34.0 <1.34.9'], '1.34.0 to 1.34.8'],
    [['>=1.35.0 <1.36.0'], '1.35'],
    [['>=1.36.3 <1.37.0'], '1.36.3 and later 1.36'],
    [['>=1.31.0 <1.31.1'], '1.31.0'],
    [['<1.34.0', '>=1.35.2 <1.35.3'], 'up to 1.33, 1.35.2'],
    [['>=1.32 <1.37'], '1.32 to 1.36'],
    [['>=1.36'], '1.36 and later'],
    [['*'], 'all versions'],
  ])('%j are told as %j', (ranges, words) => {
    expect(rangesInWords(ranges)).toBe(words);
  });

  it.each(['', '1.34', '>1.34', '>=1.34.0 < 1.35', '>=latest'])('%j is no range', text => {
    expect(readRange(text)).toBeUndefined();
  });

  it('hold the first of a range and not its end', () => {
    const ranges = ['>=1.34.1 <1.34.4'];
    const at = (patch: number) => isAffected({ minor: '1.34', patch }, ranges);
    expect([0, 1, 3, 4].map(at)).toEqual([false, true, true, false]);
    expect(isAffected({ minor: '1.3', patch: 2 }, ranges)).toBe(false);
  });
});
