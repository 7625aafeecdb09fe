import type { Declarations } from './checker/check';
import { type CompileResult, compileExpression } from './checker/compile';
import type { FunctionTable } from './checker/declarations';
import { expressionBase, isProtobuf, standardTypeOfName } from './checker/environment';
import type { Macros } from './checker/macros';
import {
  BOOL,
  DYN,
  isSame,
  listOf,
  mapOf,
  NONE,
  NULL,
  parseType,
  STRING,
  structType,
  type Type,
  typeOf,
  typeText,
} from './checker/types';

/*
 * The expressions of admission policies and webhooks. cel-js parses no messages (`Object{…}`), reports one error only,
 * and lacks several of upstream's functions, so that parsing and checking are written by hand here.
 */

/** What an expression may use besides the objects and the request. */
export interface ExpressionUse {
  readonly params: 'declared' | 'none';
  readonly authorizer: 'declared' | 'none';
  /** `Object{…}` and `JSONPatch{…}`. */
  readonly patches: 'declared' | 'none';
  /** The variables of the policy so far; undefined where `variables` itself is not declared. */
  readonly variables?: ReadonlyMap<string, Type> | undefined;
}

/** What an expression must give. */
export type ExpressionResult = 'any' | 'bool' | 'string' | 'string or null' | 'Object' | 'list of JSONPatch';

/** Upstream: k8s.io/apiserver/pkg/admission/plugin/cel.Compiler. */
export type AdmissionCompiler = (expression: string, use: ExpressionUse, result: ExpressionResult) => CompileResult;

export type { CompileResult, Type };

/** The compiler of a minor, for example "1.37". */
export function admissionCompiler(minor: string): AdmissionCompiler {
  const base = expressionBase(minor, 'new');
  return (expression, use, result) => {
    const functions = base.functions(use.patches === 'declared' ? 'patches' : 'any');
    return compiled(expression, base.macros, declarationsFor(use, functions), result);
  };
}

function compiled(
  expression: string,
  macros: Macros,
  declarations: Declarations,
  result: ExpressionResult,
): CompileResult {
  const made = compileExpression(expression, macros, declarations);
  const wanted = RESULTS[result];
  if (!('type' in made) || wanted.length === 0 || wanted.some(it => isSame(it, made.type))) return made;
  const names = wanted.map(it => typeText(it));
  const what = names.length === 1 ? names[0] : `one of [${names.join(' ')}]`;
  return { problem: `must evaluate to ${what} but got ${typeText(made.type)}` };
}

const RESULTS: Readonly<Record<ExpressionResult, readonly Type[]>> = {
  any: [],
  bool: [BOOL],
  string: [STRING],
  'string or null': [STRING, NULL],
  Object: [structType('Object')],
  'list of JSONPatch': [listOf(structType('JSONPatch'))],
};

/** The type of a variable as expressions after it see it. Upstream: convertCelTypeToDeclType. */
export function variableType(result: CompileResult): Type {
  return 'type' in result ? plainType(result.type) : DYN;
}

function plainType(type: Type): Type {
  switch (type.kind) {
    case 'list':
      return listOf(plainType(type.params[0]!));
    case 'map':
      return mapOf(plainType(type.params[0]!), plainType(type.params[1]!));
    case 'opaque':
    case 'struct':
    case 'type':
      return DYN;
    default:
      return type;
  }
}

const VARIABLES = 'kubernetes.variables';

function declarationsFor(use: ExpressionUse, functions: FunctionTable): Declarations {
  const names: Readonly<Record<string, Type>> = {
    object: DYN,
    oldObject: DYN,
    namespaceObject: structType('kubernetes.Namespace'),
    request: structType('kubernetes.AdmissionRequest'),
    ...(use.params === 'declared' && { params: DYN }),
    ...(use.authorizer === 'declared' && AUTHORIZER),
    ...(use.variables !== undefined && { variables: structType(VARIABLES) }),
  };
  const isPatch = (name: string): boolean =>
    use.patches === 'declared' && (name === 'JSONPatch' || name === 'Object' || name.startsWith('Object.'));
  const message = (name: string): Type | undefined =>
    isPatch(name) ||
    isProtobuf(name) ||
    (name === VARIABLES ? use.variables !== undefined : Object.hasOwn(MESSAGES, name))
      ? structType(name)
      : undefined;
  return {
    functions,
    message,
    typeOfName: name => {
      if (Object.hasOwn(names, name)) return names[name];
      const found = message(name);
      return standardTypeOfName(name) ?? (found && typeOf(found));
    },
    field: (of, field) => {
      if (of === VARIABLES) return use.variables?.get(field);
      if (isPatch(of)) return of === 'JSONPatch' ? patchField(field) : DYN;
      if (isProtobuf(of)) return DYN;
      const fields = MESSAGES[of];
      return fields !== undefined && Object.hasOwn(fields, field) ? parsedField(fields[field] ?? '') : undefined;
    },
  };
}

const AUTHORIZER = {
  authorizer: parseType('kubernetes.authorization.Authorizer'),
  'authorizer.requestResource': parseType('kubernetes.authorization.ResourceCheck'),
};

/** Upstream: mutation.JSONPatchType, where an unknown field has no type. */
function patchField(name: string): Type {
  if (name === 'value') return DYN;
  return name === 'op' || name === 'path' || name === 'from' ? STRING : NONE;
}

const GROUP_VERSION_KIND = { group: 'string', version: 'string', kind: 'string' };
const TIME = 'google.protobuf.Timestamp';

/** The messages of the environment; a name that begins with "#" is that of another. Upstream: BuildRequestType, BuildNamespaceType. */
const MESSAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'kubernetes.GroupVersionKind': GROUP_VERSION_KIND,
  'kubernetes.GroupVersionResource': { group: 'string', version: 'string', resource: 'string' },
  'kubernetes.UserInfo': {
    username: 'string',
    uid: 'string',
    groups: 'list(string)',
    extra: 'map(string, list(string))',
  },
  'kubernetes.AdmissionRequest': {
    kind: '#GroupVersionKind',
    resource: '#GroupVersionResource',
    subResource: 'string',
    requestKind: '#GroupVersionKind',
    requestResource: '#GroupVersionResource',
    requestSubResource: 'string',
    name: 'string',
    namespace: 'string',
    operation: 'string',
    userInfo: '#UserInfo',
    dryRun: 'bool',
    options: 'dyn',
  },
  'kubernetes.NamespaceSpec': { finalizers: 'list(string)' },
  'kubernetes.NamespaceCondition': {
    status: 'string',
    type: 'string',
    lastTransitionTime: TIME,
    message: 'string',
    reason: 'string',
  },
  'kubernetes.NamespaceStatus': { conditions: 'list #NamespaceCondition', phase: 'string' },
  'kubernetes.NamespaceMetadata': {
    name: 'string',
    generateName: 'string',
    namespace: 'string',
    labels: 'map(string, string)',
    annotations: 'map(string, string)',
    UID: 'string',
    creationTimestamp: TIME,
    deletionGracePeriodSeconds: 'int',
    deletionTimestamp: TIME,
    generation: 'int',
    resourceVersion: 'string',
    finalizers: 'list(string)',
  },
  'kubernetes.Namespace': { metadata: '#NamespaceMetadata', spec: '#NamespaceSpec', status: '#NamespaceStatus' },
};

function parsedField(text: string): Type {
  if (text.startsWith('list #')) return listOf(structType(`kubernetes.${text.slice(6)}`));
  return text.startsWith('#') ? structType(`kubernetes.${text.slice(1)}`) : parseType(text);
}
