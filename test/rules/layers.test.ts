import { describe, expect, test } from 'vitest';
import { LONGEST_HEADLINE, layered, layersOf, messageFields } from '../../server/src/rules/framework/layers';

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
