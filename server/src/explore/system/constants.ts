import { t } from '../../base/l10n';
import type { DeclaredConstant } from './document';
import type { Expression } from './expression/ast';
import { compile, type NameMeaning } from './expression/compile';
import { tellAtKey } from './field';
import { attempted } from './located';

/** The constants by name, each after those it needs; undefined, and a problem, where one has no value. */
export function evaluateConstants(declared: readonly DeclaredConstant[]): ReadonlyMap<string, NameMeaning> | undefined {
  const byName = new Map(declared.map(it => [it.name, it]));
  const names = new Map<string, NameMeaning>();
  const seen = new Set<string>();
  let isWhole = true;
  for (const it of declared) {
    for (const { constant, circle } of inOrder(it, byName, seen)) {
      if (circle !== undefined) {
        tellAtKey(constant.field, t`the constants need each other in a circle: ${circle.slice(0, 20).join(', ')}`);
        return undefined;
      }
      const meaning = attempted(constant.value, expression => meaningFor(expression, names));
      if (meaning === undefined) isWhole = false;
      else names.set(constant.name, meaning);
    }
    if (!isWhole) return undefined;
  }
  return names;
}

function meaningFor(expression: Expression, names: ReadonlyMap<string, NameMeaning>): NameMeaning {
  const { type, evaluate } = compile(expression, { names, processes: undefined });
  return { kind: 'constant', type, value: evaluate(new Int32Array(0)) };
}

interface OrderedConstant {
  readonly constant: DeclaredConstant;
  /** The constants of a circle that it is in. */
  readonly circle?: readonly string[];
}

/** The constants that one needs and that were not seen, and then itself. Without recursion: chains may be long. */
function* inOrder(
  start: DeclaredConstant,
  byName: ReadonlyMap<string, DeclaredConstant>,
  seen: Set<string>,
): Generator<OrderedConstant, void> {
  if (seen.has(start.name)) return;
  const open = [{ constant: start, needed: neededBy(start, byName) }];
  const isOpen = new Set([start]);
  while (open.length > 0) {
    const { constant, needed } = open.at(-1)!;
    const next = needed.pop();
    if (next === undefined) {
      open.pop();
      isOpen.delete(constant);
      seen.add(constant.name);
      yield { constant };
    } else if (isOpen.has(next)) {
      const names = open.map(it => it.constant.name);
      yield { constant: next, circle: [...names.slice(names.indexOf(next.name)), next.name] };
      return;
    } else if (!seen.has(next.name)) {
      isOpen.add(next);
      open.push({ constant: next, needed: neededBy(next, byName) });
    }
  }
}

function neededBy({ value }: DeclaredConstant, byName: ReadonlyMap<string, DeclaredConstant>): DeclaredConstant[] {
  return [...new Set(namesIn(value.expression))].flatMap(it => byName.get(it) ?? []);
}

/** The names of variables and constants in an expression. */
export function namesIn(expression: Expression): readonly string[] {
  switch (expression.kind) {
    case 'integer':
    case 'boolean':
      return [];
    case 'name':
      return [expression.name];
    case 'element':
      return [expression.name, ...namesIn(expression.index)];
    case 'at':
      return expression.index === undefined ? [] : namesIn(expression.index);
    case 'unary':
      return namesIn(expression.operand);
    case 'binary':
      return [...namesIn(expression.left), ...namesIn(expression.right)];
    case 'choice':
      return [expression.condition, expression.yes, expression.no].flatMap(namesIn);
  }
}
