import { parseQuantity } from '../quantity';
import { walkNodes } from './ast';
import type { Declarations } from './checker/check';
import { compileExpression } from './checker/compile';
import { expressionCost } from './checker/cost';
import { type ExpressionBase, expressionBase, isProtobuf, standardTypeOfName } from './checker/environment';
import { MACROS } from './checker/macros';
import { parseType, structType, type Type } from './checker/types';
import { type CheckedExpression, checkExpression, failureOf, kubernetesEnvironment, upstreamName } from './environment';
import { type CelEnvironment, type CelNode, celLibrary } from './library';
import { parseSemver } from './semver';
import { CelQuantity, CelSemver } from './values';

/** Upstream: resource.CELSelectorExpressionMaxLength, in bytes. */
export const longestSelector = 10 * 1024;
/** Upstream: resource.CELSelectorExpressionMaxCost. */
export const mostSelectorCost = 1_000_000;

/** A device as selectors see it: plain values of resource.k8s.io, names with or without a domain. */
export interface SelectableDevice {
  readonly driver: string;
  readonly allowMultipleAllocations?: boolean | undefined;
  readonly attributes: Readonly<Record<string, DeviceAttribute>>;
  /** Quantities as written. */
  readonly capacity: Readonly<Record<string, string>>;
}

/** Exactly one of these fields is set. Versions are semantic versions. */
export interface DeviceAttribute {
  readonly int?: number | bigint;
  readonly bool?: boolean;
  readonly string?: string;
  readonly version?: string;
  readonly ints?: readonly (number | bigint)[];
  readonly bools?: readonly boolean[];
  readonly strings?: readonly string[];
  readonly versions?: readonly string[];
}

/** A selector that compiles. */
export interface CompiledSelector {
  readonly expression: string;
  /** Upstream's worst case in its own units; more than `mostSelectorCost` is refused. */
  readonly maxCost: number;
  readonly checked: CheckedExpression;
}

/** `problem` is upstream's error; `undecided` is what upstream supports and Berth does not. */
export type SelectorResult = CompiledSelector | { readonly problem: string } | { readonly undecided: string };

/** What the environment depends on: the minor, for example "1.37", and its gates. */
export interface SelectorFacts {
  readonly minor: string;
  isGateOn(name: string): boolean;
}

export interface DeviceSelectors {
  compile(expression: string): SelectorResult;
  /** An expression of `derivedAttributes`, whose result is an attribute instead of a boolean. */
  compileDerived(expression: string): SelectorResult;
}

/**
 * The compiler of device selectors for a minor and its gates. The environment is created for the first expression.
 * Upstream: k8s.io/dynamic-resource-allocation/cel.GetCompiler with NewExpressions.
 */
export function deviceSelectors(kube: SelectorFacts): DeviceSelectors {
  const lists = kube.isGateOn('DRAListTypeAttributes') ? 'with lists' : 'scalars';
  const base = expressionBase(kube.minor, 'new');
  const macros = new Set([...base.macros, ...MACROS.bindings]);
  const made: CelEnvironment[] = [];
  const environment = () => {
    made[0] ??= deviceEnvironment(kube, lists);
    return made[0];
  };
  const compile = (expression: string, output: OutputCheck): SelectorResult => {
    const checked = checkExpression(environment(), expression);
    if (!('root' in checked)) return checked;
    const problem = output(checked, lists);
    if (problem !== undefined) return { problem };
    const compiled = compileExpression(expression, macros, deviceDeclarations(kube, base, lists));
    if (!('root' in compiled)) return compiled;
    emptyUnknownDomains(checked.root);
    return { expression, maxCost: expressionCost(compiled.root, compiled.checked, sizeOfPath), checked };
  };
  return {
    compile: expression => compile(expression, selectorOutput),
    compileDerived: expression => compile(expression, derivedOutput),
  };
}

/**
 * Whether a selector matches a device. An expression above the cost limit is not run. Upstream:
 * CompilationResult.DeviceMatches.
 */
export function evaluateSelector(
  { checked, maxCost }: CompiledSelector,
  device: SelectableDevice,
): boolean | { readonly error: string } | { readonly undecided: string } {
  if (maxCost > mostSelectorCost) return { error: 'operation cancelled: actual cost limit exceeded' };
  try {
    const input = deviceInput(device);
    if ('error' in input) return input;
    const value = checked.run({ device: input });
    if (typeof value === 'boolean') return value;
    return { error: `CEL result of type ${nativeName(value)} could not be converted to bool` };
  } catch (error) {
    return failureOf(error);
  }
}

const nativeName = (value: unknown): string =>
  Array.isArray(value) ? 'list' : typeof value === 'bigint' ? 'int' : typeof value === 'object' ? 'map' : typeof value;

type Lists = 'with lists' | 'scalars';
type OutputCheck = (checked: CheckedExpression, lists: Lists) => string | undefined;

function deviceEnvironment(kube: SelectorFacts, lists: Lists): CelEnvironment {
  const environment = kubernetesEnvironment(lists === 'with lists' ? 'has includes' : 'has none');
  environment.registerType(DEVICE, {
    fields: {
      driver: 'string',
      attributes: 'map<string, map<string, dyn>>',
      capacity: 'map<string, map<string, kubernetes.Quantity>>',
      ...(kube.isGateOn('DRAConsumableCapacity') ? { allowMultipleAllocations: 'bool' } : {}),
    },
  });
  return environment.registerVariable('device', DEVICE);
}

const DEVICE = 'kubernetes.DRADevice';

/** The same for cel-go's checker, on whose tree costs are estimated. */
function deviceDeclarations(kube: SelectorFacts, base: ExpressionBase, lists: Lists): Declarations {
  const fields: Readonly<Record<string, Type>> = {
    driver: parseType('string'),
    attributes: parseType('map(string, map(string, dyn))'),
    capacity: parseType('map(string, map(string, kubernetes.Quantity))'),
    ...(kube.isGateOn('DRAConsumableCapacity') ? { allowMultipleAllocations: parseType('bool') } : {}),
  };
  return {
    functions: base.functions(lists === 'with lists' ? 'lists of devices' : 'any'),
    typeOfName: name => (name === 'device' ? structType(DEVICE) : standardTypeOfName(name)),
    message: name => (name === DEVICE || isProtobuf(name) ? structType(name) : undefined),
    field: (of, field) => (of === DEVICE && Object.hasOwn(fields, field) ? fields[field] : undefined),
  };
}

/** Upstream: validateOutputType for selectors. */
function selectorOutput({ root, type }: CheckedExpression, lists: Lists): string | undefined {
  if (type.name === 'bool' || (type.kind === 'dyn' && (lists === 'with lists' || isAttribute(root)))) return undefined;
  return `must evaluate to bool or the unknown type, not ${upstreamName(type)}`;
}

const derivedTypes: ReadonlySet<string> = new Set(['bool', 'int', 'string', 'dyn', 'kubernetes.Semver']);

/** Upstream: isAllowedDerivedAttributeType. */
function derivedOutput({ type }: CheckedExpression, lists: Lists): string | undefined {
  const isList = lists === 'with lists' && type.kind === 'list';
  if (derivedTypes.has(type.name) || (isList && derivedTypes.has(type.valueType?.name ?? ''))) return undefined;
  const what = 'must evaluate to a primitive scalar (string, integer, boolean, semver)';
  const more = lists === 'with lists' ? ' or a list of these scalars' : '';
  return `${what}${more}, not ${upstreamName(type)}`;
}

/** Whether an expression of unknown type is itself an attribute: only the type of attributes is accepted upstream. */
function isAttribute(node: CelNode): boolean {
  switch (node.op) {
    case '.':
    case '[]':
      return (node.args as readonly CelNode[])[0]?.checkedType?.kind === 'map';
    case '?:':
      return (node.args as readonly CelNode[]).slice(1).every(it => it.checkedType?.name === 'bool' || isAttribute(it));
    case 'rcall': {
      const [name, , args] = node.args as readonly [string, CelNode, readonly CelNode[]];
      const last = args.at(-1);
      return name === 'orValue' || name === 'value' || (name === 'bind' && last !== undefined && isAttribute(last));
    }
    default:
      return false;
  }
}

const mostNames = 32;
const sizes = { domain: 63, id: 32, driver: 63, allowMultipleAllocations: 1, attribute: 64 };

/** The maximum size of the value at a path; undefined if it is unknown. Upstream: sizeEstimator.EstimateSize. */
function sizeOfPath(path: readonly string[]): number | undefined {
  const [root, field, ...rest] = path;
  if (root !== 'device' || field === undefined) return undefined;
  if (field === 'driver') return sizes.driver;
  if (field === 'allowMultipleAllocations') return sizes.allowMultipleAllocations;
  if (field !== 'attributes' && field !== 'capacity') return undefined;
  const [outer, inner, ...more] = rest;
  if (outer === undefined) return mostNames;
  if (outer === '@keys') return sizes.domain;
  if (outer !== '@values') return undefined;
  if (inner === undefined) return mostNames;
  if (inner === '@keys') return sizes.id;
  return field === 'attributes' && more.length === 0 ? sizes.attribute : undefined;
}

/** The variable `device`. A domain that the device does not have is an empty map. */
function deviceInput(device: SelectableDevice): object | { readonly error: string } {
  const attributes = new Map() as Domains<unknown>;
  for (const [name, attribute] of Object.entries(device.attributes)) {
    const value = attributeValue(attribute);
    if (value === undefined) return { error: `attribute ${name}: unsupported attribute value` };
    put(attributes, name, device.driver, value);
  }
  const capacity = new Map() as Domains<CelQuantity>;
  for (const [name, text] of Object.entries(device.capacity)) {
    const quantity = parseQuantity(text);
    if (quantity !== undefined) put(capacity, name, device.driver, new CelQuantity(quantity));
  }
  return {
    driver: device.driver,
    allowMultipleAllocations: device.allowMultipleAllocations ?? false,
    attributes,
    capacity,
  };
}

type Domains<T> = Map<string, Map<string, T>>;

const domainsType = /^map<string, map<string, (dyn|kubernetes\.Quantity)>>$/;

/** A domain that the device does not have reads as an empty map. Upstream: newStringInterfaceMapWithDefault. */
function emptyUnknownDomains(root: CelNode): void {
  const none: ReadonlyMap<string, unknown> = new Map();
  for (const node of walkNodes(root)) {
    const isAccess = node.op === '.' || node.op === '[]' || node.op === '.?' || node.op === '[?]';
    const of = isAccess ? (node.args as readonly CelNode[])[0] : undefined;
    if (of?.checkedType === undefined || !domainsType.test(of.checkedType.name)) continue;
    if (node.op === '[?]' || node.op === '.?') {
      const find = node.handle;
      node.handle = (domains, name, ...more) => {
        const found = find?.(domains, name, ...more) as { hasValue(): boolean } | undefined;
        return found?.hasValue() ? found : celLibrary().Optional.of(none);
      };
      continue;
    }
    node.handle = (domains, name) => (domains as Domains<unknown>).get(String(name)) ?? none;
  }
}

function put<T>(domains: Domains<T>, name: string, driver: string, value: T): void {
  const slash = name.indexOf('/');
  const domain = slash < 0 ? driver : name.slice(0, slash);
  if (!domains.has(domain)) domains.set(domain, new Map());
  domains.get(domain)?.set(name.slice(slash + 1), value);
}

/** Upstream: getAttributeValue. */
function attributeValue(attribute: DeviceAttribute): unknown {
  const { ints, bools, strings, versions, int, bool, string, version } = attribute;
  if (versions !== undefined) {
    const read = versions.map(semverValue);
    return read.includes(undefined) ? undefined : read;
  }
  if (int !== undefined) return BigInt(int);
  if (version !== undefined) return semverValue(version);
  return ints?.map(BigInt) ?? bools ?? strings ?? bool ?? string;
}

function semverValue(text: string): CelSemver | undefined {
  const version = parseSemver(text);
  return version && new CelSemver(version);
}
