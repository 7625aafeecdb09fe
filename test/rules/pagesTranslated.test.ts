import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONFIGURATION_SCHEMA } from '../../server/src/analysis/features/configuration/schema';
import { isObject, type JsonValue } from '../../server/src/base/json';
import { speak } from '../../server/src/base/l10n';
import { OF_BERTH, policyPage } from '../../server/src/policy/pages';
import type { PolicyEngineName } from '../../server/src/policy/result';
import { allMetas, explain, explainBriefly } from '../../server/src/rules/engine/explain';
import { issueChecks } from '../../server/src/rules/knownIssues/knownIssue';

const keysOf = (name: string): readonly string[] =>
  Object.keys(JSON.parse(readFileSync(join(import.meta.dirname, '../../l10n', name), 'utf8')) as object);
const [bundle, pages] = [keysOf('bundle.l10n.ja.json'), keysOf('pages.l10n.ja.json')];

const ENGINES: Readonly<Record<PolicyEngineName, string>> = {
  vap: 'vap/x',
  gatekeeper: 'gatekeeper/x',
  conftest: 'conftest/x',
  kyverno: 'kyverno/x',
  property: 'property/x',
};
const policyCodes = (): readonly string[] => [
  ...Object.values(ENGINES),
  ...Object.entries(OF_BERTH).flatMap(([engine, texts]) => Object.keys(texts).map(it => `${engine}/${it}`)),
];

/** A text that was looked up is its number and what stands at its places: the words that are left were not. */
const marked = Object.fromEntries(
  [...bundle, ...pages].map((it, at) => [it, `⟦${at}⟧ ${(it.match(/\{\d\}/g) ?? []).join(' ')}`]),
);

/** Words that read the same in every language. */
function namesIn(): ReadonlySet<string> {
  const issues = issueChecks();
  const gates = issues.flatMap(it => [...(it.gates ?? []), ...(it.gatesOff ?? [])]);
  const metas = allMetas().flatMap(it => [it.category, it.severity, ...(it.source ? [it.source.project] : [])]);
  return new Set([...metas, ...gates, ...issues.map(it => it.component)].flatMap(it => it.split(/[ /]/)));
}

/** What hover and completion say of the keys of berth.yaml. */
function descriptionsIn(schema: JsonValue | undefined): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const below = Object.values(schema).flatMap(descriptionsIn);
  const own = isObject(schema) && typeof schema.description === 'string' ? [schema.description] : [];
  return [...new Set([...own, ...below])];
}

const CODE = /^# .*$|```[\s\S]*?```|`[^`]*`|<https:[^>]*>/gm;
const CHECKS_OF_OTHERS = /\b(?:kube-linter|kube-score|Kubescape|Polaris) [\w-]+/g;

function wordsLeft(page: string, names: ReadonlySet<string>): readonly string[] {
  const prose = page.replace(CODE, '').replace(CHECKS_OF_OTHERS, '').replace(/⟦\d+⟧/g, '');
  return (prose.match(/[\w.-]*\p{L}[\w.-]*/gu) ?? []).filter(it => !names.has(it) && !/^v?1\.\d/.test(it));
}

describe('the page of each code is in the language of the editor', () => {
  let told: readonly { readonly code: string; readonly page: string }[] = [];

  beforeAll(() => {
    speak(marked);
    told = [
      ...allMetas().map(({ code }) => ({ code, page: `${explain(code)}${explainBriefly(code)}` })),
      ...policyCodes().map(code => ({ code, page: policyPage(code) ?? '' })),
    ];
  });
  afterAll(() => speak());

  test('it has no words that were not looked up', () => {
    const names = namesIn();
    const plain = told.map(({ code, page }) => `${code}: ${wordsLeft(page, names).join(' ')}`);
    expect(plain.filter(it => !it.endsWith(': '))).toEqual([]);
  });

  test('it uses each text of the bundle of pages, with the documentation of berth.yaml', () => {
    const used = new Set(told.flatMap(({ page }) => [...page.matchAll(/⟦(\d+)⟧/g)].map(it => Number(it[1]))));
    const ofPages = pages.filter((_, at) => used.has(bundle.length + at));
    expect(pages.toSorted()).toEqual([...ofPages, ...descriptionsIn(CONFIGURATION_SCHEMA)].toSorted());
  });

  test('no text is translated twice', () => {
    expect(pages.filter(it => bundle.includes(it))).toEqual([]);
  });
});
