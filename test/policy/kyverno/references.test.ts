import fc from 'fast-check';
import { expect, it } from 'vitest';
import { resolveReferences } from '../../../server/src/policy/kyverno/context/references';

it.each([
  ['$(./../name)!', 'web!'],
  [' $(./../name)', ' web'],
  ['\\$(./../name)', '$(./../name)'],
  ['$()', '$()'],
  ['$(', '$('],
])('%j is resolved to %j', (text, resolved) => {
  expect(resolveReferences({ name: 'web', text })).toEqual({ name: 'web', text: resolved });
});

it.each(['$(', '\\$(', 'a$(', '$( '])('many beginnings %j of references are looked through once', start => {
  const text = start.repeat(200_000);
  expect(resolveReferences({ text })).toEqual({ text });
});

it('escaped references lose their backslash where an expression of upstream finds them', () => {
  const part = fc.constantFrom('\\$(', ')', ' ', 'a', '\\', '\n', '(');
  fc.assert(
    fc.property(fc.array(part), parts => {
      const text = parts.join('');
      expect(resolveReferences({ text })).toEqual({ text: text.replace(/\\\$\(.[^ )]*\)/g, it => it.slice(1)) });
    }),
  );
});
