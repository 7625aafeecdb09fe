import { asList, asText, type JsonValue } from '../../base/json';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';

/** One CEL expression of a policy, in the engine's form. */
export interface PolicyExpression {
  readonly at: FieldPath;
  readonly expression: string;
  readonly returns: 'bool' | 'string' | 'string?' | 'any' | 'applyConfiguration' | 'jsonPatch';
  /** Its value is `variables.NAME` in the expressions that follow. */
  readonly variable?: string;
  readonly without: readonly ('variables' | 'authorizer')[];
}

interface ExpressionField {
  readonly list: string;
  /** The path below an item of the list. */
  readonly field: readonly string[];
  readonly returns: PolicyExpression['returns'];
  readonly without?: PolicyExpression['without'];
}

/**
 * Where expressions are, in evaluation order. Match conditions are compiled on their own when a policy is created, and
 * messages have no authorizer. Upstream: validateValidatingAdmissionPolicySpec.
 */
const FIELDS: readonly ExpressionField[] = [
  { list: 'matchConditions', field: ['expression'], returns: 'bool', without: ['variables'] },
  { list: 'variables', field: ['expression'], returns: 'any' },
  { list: 'validations', field: ['expression'], returns: 'bool' },
  { list: 'validations', field: ['messageExpression'], returns: 'string', without: ['authorizer'] },
  { list: 'auditAnnotations', field: ['valueExpression'], returns: 'string?' },
  { list: 'mutations', field: ['applyConfiguration', 'expression'], returns: 'applyConfiguration' },
  { list: 'mutations', field: ['jsonPatch', 'expression'], returns: 'jsonPatch' },
];

/** The non-empty expressions of a ValidatingAdmissionPolicy or MutatingAdmissionPolicy. */
export function expressionsOf(policy: WorkspaceObject): readonly PolicyExpression[] {
  const spec = fieldAt(policy.manifest.value, 'spec');
  return FIELDS.flatMap(({ list, field, returns, without = [] }) =>
    asList(fieldAt(spec, list)).flatMap((item, index) => {
      const expression = asText(fieldAt(item, ...field));
      if (expression === undefined || expression.trim() === '') return [];
      const at = FieldPath.of('spec', list, index, ...field);
      const name = list === 'variables' ? asText(fieldAt(item, 'name')) : undefined;
      return [{ at, expression, returns, without, ...(name !== undefined && { variable: name }) }];
    }),
  );
}

/** Longer expressions are not written by hand and are not searched. */
const MAX_LOOKED_AT = 10_000;

const TEXTS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
const ACCESS = /(?<![\w.])(object|variables)((?:\.\??[A-Za-z_]\w*(?!\w*\s*\()|\[\s*\d+\s*\])+)/g;

/**
 * The field of an object that an expression is about, guessed from the fields that it reads: the one that leads
 * deepest into the value. Variables are replaced by their expressions. undefined when it reads no field.
 */
export function fieldReadBy(
  expression: string,
  variables: ReadonlyMap<string, string>,
  value: JsonValue,
): FieldPath | undefined {
  const paths = pathsReadBy(expression, variables);
  const depths = paths.map(path => ({ path, depth: depthIn(value, path) }));
  const best = depths.reduce<{ readonly path: FieldPath; readonly depth: number } | undefined>(
    (best, it) => (best === undefined || it.depth > best.depth ? it : best),
    undefined,
  );
  return best?.path;
}

/** The paths in the expression and in every variable that it uses; each variable is visited once. */
function pathsReadBy(expression: string, variables: ReadonlyMap<string, string>): readonly FieldPath[] {
  const visited = new Set<string>();
  const waiting = [expression];
  const paths: FieldPath[] = [];
  for (const text of waiting) {
    if (text.length > MAX_LOOKED_AT) continue;
    for (const [, root, steps = ''] of text.replace(TEXTS, '""').matchAll(ACCESS)) {
      const path = FieldPath.of(...stepsOf(steps));
      const name = String(path.segments[0] ?? '');
      if (root === 'object' && name !== '') paths.push(path);
      const value = root === 'variables' && !visited.has(name) ? variables.get(name) : undefined;
      if (value === undefined) continue;
      visited.add(name);
      waiting.push(value);
    }
  }
  return paths;
}

const stepsOf = (text: string): readonly (string | number)[] =>
  [...text.matchAll(/\.\??([A-Za-z_]\w*)|\[\s*(\d+)\s*\]/g)].map(([, name, index]) => name ?? Number(index));

/** How many steps of a path exist in a value. */
function depthIn(value: JsonValue, path: FieldPath): number {
  let found: JsonValue | undefined = value;
  let depth = 0;
  for (const step of path.segments) {
    found = typeof step === 'number' ? asList(found)[step] : fieldAt(found, String(step));
    if (found === undefined) break;
    depth++;
  }
  return depth;
}

export function variablesOf(policy: WorkspaceObject): ReadonlyMap<string, string> {
  return new Map(
    asList(fieldAt(policy.manifest.value, 'spec', 'variables')).flatMap(it => {
      const [name, expression] = [asText(fieldAt(it, 'name')), asText(fieldAt(it, 'expression'))];
      return name === undefined || expression === undefined ? [] : [[name, expression] as const];
    }),
  );
}
