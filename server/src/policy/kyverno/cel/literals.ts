/**
 * The types of object literals in policies, by the first part of their name. Upstream: mutation.DynamicTypeResolver.
 */
const ROOTS: ReadonlySet<string> = new Set(['Object', 'JSONPatch']);

const objectStart = /([A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*)\s*\{/y;
const fieldStart = /\s*(\?)?\s*(?:([A-Za-z_]\w*)|`([^`]*)`)\s*:/y;
/** Tokens that are copied: string literals, comments, and names. */
const untouched =
  /[bBrR]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\/\/[^\n]*|(?:\.\s*)?[A-Za-z_]\w*|\d\w*/y;

/** An open bracket: of an object literal, with or without a field begun, or any other. */
type Open = 'other' | 'before field' | 'in field';

/**
 * Rewrites object literals, `Object.spec{a: 1, ?b: c}`, as calls that the evaluator can parse:
 * `makeObject("Object.spec", [dyn("a"), dyn(1), dyn("?b"), dyn(c)])`.
 */
export function withObjectCalls(expression: string): string {
  const open: Open[] = [];
  const made: string[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(expression);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  const beginField = (separator: string): void => {
    const field = take(fieldStart);
    if (field === null) return;
    const [, optional = '', plain, quoted = ''] = field;
    made.push(`${separator}dyn(${JSON.stringify(`${optional}${plain ?? quoted}`)}), dyn(`);
    open[open.length - 1] = 'in field';
  };
  while (at < expression.length) {
    const start = at;
    const type = take(objectStart)?.[1]?.replaceAll(/\s/g, '');
    if (type !== undefined && ROOTS.has(type.split('.')[0] ?? '')) {
      made.push(`makeObject(${JSON.stringify(type)}, [`);
      open.push('before field');
      beginField('');
      continue;
    }
    at = start;
    const kept = take(untouched)?.[0] ?? expression.charAt(at++);
    const inside = open.at(-1) ?? 'other';
    if ('{[('.includes(kept)) open.push('other');
    if ('}])'.includes(kept)) open.pop();
    if (kept === ',' && inside === 'in field') {
      open[open.length - 1] = 'before field';
      made.push(')');
      beginField(', ');
    } else if (kept === '}' && inside !== 'other') {
      made.push(inside === 'in field' ? ')])' : '])');
    } else {
      made.push(kept);
    }
  }
  return made.join('');
}
