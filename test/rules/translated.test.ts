import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { config } from '@vscode/l10n';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { layersOf } from '../../server/src/rules/framework/layers';
import { issueChecks, issueText } from '../../server/src/rules/knownIssues/knownIssue';
import { diagnose, worldOf } from '../support/check';
import { withoutLabels } from '../support/fixture';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'test/fixtures/rules');
const bundle = JSON.parse(readFileSync(join(root, 'l10n/bundle.l10n.ja.json'), 'utf8')) as Record<string, string>;

/** Every message of the bundle in brackets: text without one was not looked up. */
const marked = Object.fromEntries(Object.keys(bundle).map(it => [it, `⟦${it}⟧`]));

/** Codes whose headlines are upstream's own words. They are the same in every language. */
const UPSTREAM = [
  'security/allow-privilege-escalation',
  'security/capabilities-baseline',
  'security/host-probes-and-host-lifecycle',
  'security/namespace-label',
  'security/run-as-non-root',
  'security/se-linux-options',
  'security/seccomp-profile-restricted',
  'warning/deprecated-api',
  'warning/server',
];

/** A name alone reads the same in every language. */
const isName = (text: string): boolean => /^\w+ "[^"]*"$/.test(text);

interface Said {
  readonly code: string;
  readonly headline: string;
  readonly titles: readonly string[];
  readonly related: readonly string[];
}

function saidIn(name: string): readonly Said[] {
  const text = withoutLabels(readFileSync(join(folder, name), 'utf8'));
  return diagnose(text, worldOf(text)).map(it => ({
    code: it.code,
    headline: layersOf(it).headline,
    titles: it.fixes.map(fix => fix.title),
    related: it.related.map(place => place.message),
  }));
}

describe('what rules say is in the language of the editor', () => {
  let said: readonly Said[] = [];

  beforeAll(() => {
    config({ contents: marked });
    said = readdirSync(folder, { recursive: true })
      .map(it => String(it).replaceAll('\\', '/'))
      .filter(it => it.endsWith('.yaml'))
      .flatMap(saidIn);
  });
  afterAll(() => config({ contents: {} }));

  const isPlain = (text: string): boolean => !text.includes('⟦');
  const plainOnes = (texts: (it: Said) => readonly string[]): readonly string[] =>
    said.flatMap(it =>
      texts(it)
        .filter(isPlain)
        .map(text => `${it.code}: ${text}`),
    );

  test('each headline is translated, those with words of upstream excepted', () => {
    const plain = plainOnes(it => [it.headline]);
    const codeOf = (it: string): string => it.slice(0, it.indexOf(': '));
    expect(plain.filter(it => !UPSTREAM.includes(codeOf(it)))).toEqual([]);
    expect(UPSTREAM.filter(code => !plain.some(it => codeOf(it) === code))).toEqual([]);
  });

  test('each text of a known issue is translated', () => {
    const texts = issueChecks().flatMap(({ id }) => {
      const { title, text, advice, assumes } = issueText(id);
      return [title, text, advice, assumes ?? title];
    });
    expect(texts.filter(it => !Object.hasOwn(bundle, it))).toEqual([]);
  });

  test('each title of a fix is translated', () => {
    expect(plainOnes(it => it.titles)).toEqual([]);
  });

  test('each text of a related place is translated', () => {
    expect(plainOnes(it => it.related.filter(text => !isName(text)))).toEqual([]);
  });
});
