import fc from 'fast-check';

/**
 * Texts of any code points. fast-check's own (`unit: 'binary'`) lists all million of them first, which takes longer than
 * most tests.
 */
export const anyText = (maxLength?: number): fc.Arbitrary<string> => {
  const codePoint = fc.oneof(fc.integer({ min: 0, max: 0xff }), fc.integer({ min: 0, max: 0x10_ff_ff }));
  return fc.array(codePoint, maxLength === undefined ? {} : { maxLength }).map(them => String.fromCodePoint(...them));
};
