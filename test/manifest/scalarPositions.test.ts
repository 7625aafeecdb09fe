import { describe, expect, it } from 'vitest';
import { FieldPath } from '../../server/src/manifest/fieldPath';
import { parseManifests } from '../../server/src/manifest/parse';
import { scalarPositions } from '../../server/src/manifest/scalarPositions';

describe('positions of the characters of a string', () => {
  it.each([
    ['a literal block', 'a: |\n  one\n    two\n\n  three\n'],
    ['a literal block with an indentation of its own', 'a: |2\n    one\n  two\n'],
    ['a folded block', 'a: >-\n    one\n    two\n\n    three\n      more\n      less\n    back\n'],
    ['a folded block with empty lines', 'a: >\n  one\n  two\n\n\n  three\n'],
    ['double quotes', 'a: "one \\"two\\" end"\n'],
    ['single quotes', "a: 'it''s one'\n"],
    ['several plain lines', 'a: one\n  two\n\n  three\n'],
    ['characters of two units', 'a: "é🐳 one"\n'],
  ])('of %s', (_, text) => {
    const [object] = parseManifests('a.yaml', text).documents[0]?.objects ?? [];
    const value = object?.value.a;
    const span = object?.spanOf(FieldPath.of('a'), 'value');
    if (typeof value !== 'string' || span === undefined) throw new Error('there is no string');
    const source = text.slice(span.start, span.end);
    const positionOf = scalarPositions(source, value);
    const wrong = [...value.matchAll(/\w/g)].filter(({ 0: char, index }) => source[positionOf(index)] !== char);
    expect(wrong.map(it => `${it[0]} at ${it.index}`)).toEqual([]);
    expect(positionOf(value.trimEnd().length - 1)).toBe(source.trimEnd().length - (/["']$/.test(source) ? 2 : 1));
  });

  it('maps an escape to its backslash', () => {
    const positionOf = scalarPositions('"a\\tb\\u0041c"', 'a\tbAc');
    expect([0, 1, 2, 3, 4].map(positionOf)).toEqual([1, 2, 4, 5, 11]);
  });
});
