import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LONGEST_HEADLINE, layered, layersOf, messageFields } from '../../server/src/rules/framework/layers';
import { diagnose, worldOf } from '../support/check';
import { withoutLabels } from '../support/fixture';

const folder = join(import.meta.dirname, '../fixtures/rules');
const fixtures = readdirSync(folder, { recursive: true })
  .map(it => String(it).replaceAll('\\', '/'))
  .filter(it => it.endsWith('.yaml'));

function headlinesIn(name: string): readonly string[] {
  const text = withoutLabels(readFileSync(join(folder, name), 'utf8'));
  return diagnose(text, worldOf(text)).map(it => `${it.code}: ${layersOf(it).headline}`);
}

describe('what is said in two layers', () => {
  const headlines = fixtures.flatMap(headlinesIn);
  const textOf = (it: string): string => it.slice(it.indexOf(': ') + 2);

  test('each headline of each rule is one short line', () => {
    expect(headlines.length).toBeGreaterThan(fixtures.length);
    expect(headlines.filter(it => textOf(it).length > LONGEST_HEADLINE || /[\r\n]/.test(it))).toEqual([]);
  });

  test('no headline of a rule is cut off within a clause', () => {
    expect(headlines.filter(it => it.endsWith('…'))).toEqual([]);
  });

  test('no headline has upstream’s text glued to it', () => {
    expect(headlines.filter(it => it.includes(' — '))).toEqual([]);
  });

  test('a headline about Pod Security says what to change', () => {
    expect(headlines.filter(it => /^security\/seccomp.*PodSecurity "[^"]+"$/.test(it))).toEqual([]);
    expect(headlines.some(it => /must set \S+=false \(PodSecurity "restricted/.test(it))).toBe(true);
  });

  test.each(['warning/server.yaml', 'dropped/field.yaml'])('%s: no headline spells a long path', name => {
    expect(headlinesIn(name).filter(it => /spec\.(?:template|jobTemplate)\.\S+/.test(it))).toEqual([]);
  });
});

describe('layersOf', () => {
  const far = 'word '.repeat(60).trim();

  test('gives both layers as the rule told them, and the message has both', () => {
    const fields = messageFields(layered('do this', 'spec: Invalid value'));
    expect(fields.message).toBe('do this — spec: Invalid value');
    expect(layersOf(fields)).toEqual({ headline: 'do this', detail: 'spec: Invalid value' });
  });

  test('has no second layer where there is nothing more to say', () => {
    expect(layersOf(messageFields(layered('do this', '')))).toEqual({ headline: 'do this' });
    expect(layersOf({ message: 'do this' })).toEqual({ headline: 'do this' });
  });

  test.each([
    ['at the end of a clause', `this field of the object is wrong; ${far}`, 'this field of the object is wrong'],
    [
      'never within brackets',
      `the list (of a field, or none) is not one; ${far} (`,
      'the list (of a field, or none) is not one',
    ],
    ['never within quotes', `the value "here it is; and so on; ${far}"`, undefined],
    ['after a word', far, undefined],
  ])('shortens a long message %s, which is the second layer then', (_where, message, expected) => {
    const { headline, detail } = layersOf({ message });
    expect(headline.length).toBeLessThanOrEqual(LONGEST_HEADLINE);
    if (expected === undefined) expect(headline).toMatch(/\w…$/);
    else expect(headline).toBe(expected);
    expect(detail).toBe(message);
  });

  test('is one line where a policy writes several', () => {
    expect(layersOf({ message: 'first\n  second' }).headline).toBe('first second');
  });
});
