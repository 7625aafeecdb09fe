import type { Expr, ExprOf, Issue } from './nodes';
import type { Type, TypeKind } from './types';

/** What a clause such as `%d` takes. */
interface Clause {
  readonly kinds: readonly TypeKind[];
  readonly rule: string;
}

const PRINTABLE: readonly TypeKind[] = [
  ...(['list', 'map', 'int', 'uint', 'double', 'bool', 'string', 'timestamp', 'bytes', 'duration'] as const),
  ...(['type', 'null'] as const),
];
const HEX: Clause = {
  kinds: ['int', 'uint', 'string', 'bytes'],
  rule: 'only integers, byte buffers, and strings can be formatted as hex',
};
const CLAUSES: Readonly<Record<string, Clause>> = {
  s: {
    kinds: PRINTABLE,
    rule:
      'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and ' +
      'timestamps',
  },
  d: { kinds: ['int', 'uint'], rule: 'decimal clause can only be used on integers' },
  f: { kinds: ['double', 'string'], rule: 'fixed-point clause can only be used on doubles' },
  e: { kinds: ['double', 'string'], rule: 'scientific clause can only be used on doubles' },
  b: { kinds: ['int', 'uint', 'bool'], rule: 'only integers and bools can be formatted as binary' },
  o: { kinds: ['int', 'uint'], rule: 'octal clause can only be used on integers' },
  x: HEX,
  X: HEX,
};

/** Errors of `'…'.format([…])` with a literal text and a literal list. Upstream: ext.stringFormatValidator. */
export function formatIssues(node: ExprOf<'call'>, typeAt: (node: Expr) => Type): readonly Issue[] {
  const [list, ...others] = node.args;
  const { target } = node;
  if (node.name !== 'format' || target?.kind !== 'literal' || typeof target.value !== 'string') return [];
  if (list?.kind !== 'list' || others.length > 0) return [];
  const args = list.items.map(it => it.value);
  const report = (text: string, at = node.at): readonly Issue[] => [{ at, text }];
  let used = 0;
  for (const [whole, , precision, letter = ''] of target.value.matchAll(/%%|%((?:\.(\d*))?(.?))/gsu)) {
    if (whole === '%%') continue;
    if (whole === '%') return report('unexpected end of string');
    const arg = args[used];
    if (arg === undefined) return report(`index ${used} out of range`);
    used++;
    const clause = Object.hasOwn(CLAUSES, letter) ? CLAUSES[letter] : undefined;
    if (precision === '' || letter === '')
      return report('could not parse formatting clause: error while parsing precision');
    if (clause === undefined)
      return report(`could not parse formatting clause: unrecognized formatting clause "${letter}"`);
    const wrong = wrongPart(arg, clause, typeAt);
    if (wrong !== undefined) {
      return report(`error during formatting: ${clause.rule}, was given ${typeAt(wrong).name}`, wrong.at);
    }
  }
  if (args.length <= used) return [];
  return report(`too many arguments supplied to string.format (expected ${used}, got ${args.length})`);
}

/** The argument, or a part of it that is printed with it, whose type the clause does not take. */
function wrongPart(arg: Expr, clause: Clause, typeAt: (node: Expr) => Type): Expr | undefined {
  const { kind } = typeAt(arg);
  if (kind !== 'dyn' && !clause.kinds.includes(kind)) return arg;
  if (clause.kinds !== PRINTABLE) return undefined;
  const parts = arg.kind === 'list' ? arg.items.map(it => it.value) : [];
  const entries = arg.kind === 'map' ? arg.entries.flatMap(it => [it.key, it.value]) : [];
  return [...parts, ...entries].map(it => wrongPart(it, clause, typeAt)).find(it => it !== undefined);
}
