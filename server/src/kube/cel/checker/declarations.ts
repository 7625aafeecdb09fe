import { parseType, splitTypes, type Type } from './types';

/** One way to call a function. `isOpen`: its types have parameters. */
export interface Overload {
  readonly style: 'function' | 'method';
  readonly args: readonly Type[];
  readonly result: Type;
  readonly params: readonly string[];
}

export type FunctionTable = ReadonlyMap<string, readonly Overload[]>;

const DURATION = 'google.protobuf.Duration';
const TIME = 'google.protobuf.Timestamp';
const NUMBERS = ['double', 'int', 'uint'];
const COMPARABLE = ['bool', 'bytes', 'double', DURATION, TIME, 'int', 'string', 'uint'];
const COMPARISONS = ['_<_', '_<=_', '_>_', '_>=_'];

/** A signature for each type, in place of `#`. */
const each = (types: readonly string[], ...signatures: readonly string[]): readonly string[] =>
  signatures.flatMap(it => types.map(type => it.replaceAll('#', type)));

/** Upstream: cel-go common/stdlib.FunctionTable, with comparisons across numeric types. */
const standard = (): readonly string[] => [
  '_?_:_(bool, <A>, <A>): <A>',
  '_&&_(bool, bool): bool',
  '_||_(bool, bool): bool',
  '!_(bool): bool',
  '@not_strictly_false(bool): bool',
  '_==_(<A>, <A>): bool',
  '_!=_(<A>, <A>): bool',
  ...each(['bytes', 'double', 'int', 'list(<A>)', 'string', 'uint', DURATION], '_+_(#, #): #'),
  `_+_(${DURATION}, ${TIME}): ${TIME}`,
  `_+_(${TIME}, ${DURATION}): ${TIME}`,
  ...each([...NUMBERS, DURATION], '_-_(#, #): #'),
  `_-_(${TIME}, ${DURATION}): ${TIME}`,
  `_-_(${TIME}, ${TIME}): ${DURATION}`,
  ...each(NUMBERS, '_*_(#, #): #', '_/_(#, #): #'),
  ...each(['int', 'uint'], '_%_(#, #): #'),
  ...each(['double', 'int'], '-_(#): #'),
  ...COMPARISONS.flatMap(it => [
    ...each(COMPARABLE, `${it}(#, #): bool`),
    ...NUMBERS.flatMap(a => NUMBERS.filter(b => a !== b).map(b => `${it}(${a}, ${b}): bool`)),
  ]),
  '_[_](list(<A>), int): <A>',
  '_[_](map(<A>, <B>), <A>): <B>',
  '@in(<A>, list(<A>)): bool',
  '@in(<A>, map(<A>, <B>)): bool',
  ...each(['bytes', 'list(<A>)', 'map(<A>, <B>)', 'string'], 'size(#): int', '.size(#): int'),
  'type(<A>): type(<A>)',
  'dyn(<A>): dyn',
  ...each(['bool', 'string'], 'bool(#): bool'),
  ...each(['bytes', 'string'], 'bytes(#): bytes'),
  ...each([...NUMBERS, 'string'], 'double(#): double', 'uint(#): uint', 'int(#): int'),
  ...each([DURATION, TIME], 'int(#): int'),
  ...each(['bool', 'bytes', 'string', DURATION, TIME, ...NUMBERS], 'string(#): string'),
  ...each([DURATION, 'string'], `duration(#): ${DURATION}`),
  ...each([TIME, 'int', 'string'], `timestamp(#): ${TIME}`),
  ...each(['contains', 'endsWith', 'startsWith', 'matches'], '.#(string, string): bool'),
  'matches(string, string): bool',
  ...each(
    ['getDate', 'getDayOfMonth', 'getDayOfWeek', 'getDayOfYear', 'getFullYear', 'getMonth', ...CLOCK],
    `.#(${TIME}): int`,
    `.#(${TIME}, string): int`,
  ),
  ...each(CLOCK, `.#(${DURATION}): int`),
];

const CLOCK = ['getHours', 'getMilliseconds', 'getMinutes', 'getSeconds'];

/** Upstream: cel.OptionalTypes. */
const OPTIONALS = [
  'optional.none(): optional_type(<V>)',
  'optional.of(<V>): optional_type(<V>)',
  'optional.ofNonZeroValue(<V>): optional_type(<V>)',
  '.hasValue(optional_type(<V>)): bool',
  '.value(optional_type(<V>)): <V>',
  '.or(optional_type(<V>), optional_type(<V>)): optional_type(<V>)',
  '.orValue(optional_type(<V>), <V>): <V>',
  '_[?_](list(<V>), int): optional_type(<V>)',
  '_[?_](map(<K>, <V>), <K>): optional_type(<V>)',
  ...each(
    ['_[_]', '_[?_]'],
    '#(optional_type(list(<V>)), int): optional_type(<V>)',
    '#(optional_type(map(<K>, <V>)), <K>): optional_type(<V>)',
  ),
];

/** What cel-go added to cel.OptionalTypes without a version of its own: whoever is built with it has it. */
const OPTIONALS_OF_1_33 = [
  'optional.unwrap(list(optional_type(<V>))): list(<V>)',
  '.unwrapOpt(list(optional_type(<V>))): list(<V>)',
  '.first(list(<V>)): optional_type(<V>)',
  '.last(list(<V>)): optional_type(<V>)',
];

/** Upstream: ext.Strings and ext.Sets, and library.Regex. */
const STRINGS = [
  '.charAt(string, int): string',
  ...each(['indexOf', 'lastIndexOf'], '.#(string, string): int', '.#(string, string, int): int'),
  '.join(list(string)): string',
  '.join(list(string), string): string',
  ...each(['lowerAscii', 'trim', 'upperAscii'], '.#(string): string'),
  '.replace(string, string, string): string',
  '.replace(string, string, string, int): string',
  '.split(string, string): list(string)',
  '.split(string, string, int): list(string)',
  '.substring(string, int): string',
  '.substring(string, int, int): string',
  '.format(string, list(dyn)): string',
  'strings.quote(string): string',
  ...each(['contains', 'equivalent', 'intersects'], 'sets.#(list(<T>), list(<T>)): bool'),
  '.find(string, string): string',
  '.findAll(string, string): list(string)',
  '.findAll(string, string, int): list(string)',
];

const LISTS = [
  ...each(COMPARABLE, '.isSorted(list(#)): bool', '.min(list(#)): #', '.max(list(#)): #'),
  ...each([...NUMBERS, DURATION], '.sum(list(#)): #'),
  ...each(['indexOf', 'lastIndexOf'], '.#(list(<A>), <A>): int'),
];

/** Upstream: library.Quantity, URLs, IP and CIDR. */
const VALUES = [
  'quantity(string): kubernetes.Quantity',
  'isQuantity(string): bool',
  'sign(kubernetes.Quantity): int',
  '.isInteger(kubernetes.Quantity): bool',
  '.asInteger(kubernetes.Quantity): int',
  '.asApproximateFloat(kubernetes.Quantity): double',
  ...each(['isGreaterThan', 'isLessThan'], '.#(kubernetes.Quantity, kubernetes.Quantity): bool'),
  '.compareTo(kubernetes.Quantity, kubernetes.Quantity): int',
  ...each(['kubernetes.Quantity', 'int'], '.add(kubernetes.Quantity, #): kubernetes.Quantity'),
  ...each(['kubernetes.Quantity', 'int'], '.sub(kubernetes.Quantity, #): kubernetes.Quantity'),
  'url(string): kubernetes.URL',
  'isURL(string): bool',
  ...each(['getScheme', 'getHost', 'getHostname', 'getPort', 'getEscapedPath'], '.#(kubernetes.URL): string'),
  '.getQuery(kubernetes.URL): map(string, list(string))',
  'ip(string): net.IP',
  'isIP(string): bool',
  'ip.isCanonical(string): bool',
  'string(net.IP): string',
  '.family(net.IP): int',
  ...each(
    ['isUnspecified', 'isLoopback', 'isLinkLocalMulticast', 'isLinkLocalUnicast', 'isGlobalUnicast'],
    '.#(net.IP): bool',
  ),
  'cidr(string): net.CIDR',
  'isCIDR(string): bool',
  'string(net.CIDR): string',
  ...each(['net.IP', 'string'], '.containsIP(net.CIDR, #): bool'),
  ...each(['net.CIDR', 'string'], '.containsCIDR(net.CIDR, #): bool'),
  '.ip(net.CIDR): net.IP',
  '.masked(net.CIDR): net.CIDR',
  '.prefixLength(net.CIDR): int',
];

const A = 'kubernetes.authorization';

/** Upstream: library.Authz. */
const AUTHORIZATION = [
  `.path(${A}.Authorizer, string): ${A}.PathCheck`,
  `.group(${A}.Authorizer, string): ${A}.GroupCheck`,
  `.serviceAccount(${A}.Authorizer, string, string): ${A}.Authorizer`,
  `.resource(${A}.GroupCheck, string): ${A}.ResourceCheck`,
  ...each(['subresource', 'namespace', 'name'], `.#(${A}.ResourceCheck, string): ${A}.ResourceCheck`),
  ...each(['PathCheck', 'ResourceCheck'], `.check(${A}.#, string): ${A}.Decision`),
  ...each(['allowed', 'errored'], `.#(${A}.Decision): bool`),
  ...each(['error', 'reason'], `.#(${A}.Decision): string`),
];

const FORMATS =
  'byte date datetime dns1035Label dns1035LabelPrefix dns1123Label dns1123LabelPrefix dns1123Subdomain ' +
  'dns1123SubdomainPrefix labelValue qualifiedName uri uuid';

/** FunctionTable that came later, by the minor of upstream's environment that has them. */
const LATER: Readonly<Record<string, readonly string[]>> = {
  '1.31': [
    ...each(FORMATS.split(' '), 'format.#(): kubernetes.NamedFormat'),
    'format.named(string): optional_type(kubernetes.NamedFormat)',
    '.validate(kubernetes.NamedFormat, string): optional_type(list(string))',
    ...each(['fieldSelector', 'labelSelector'], `.#(${A}.ResourceCheck, string): ${A}.ResourceCheck`),
  ],
  '1.32': [
    'cel.@mapInsert(map(<K>, <V>), <K>, <V>): map(<K>, <V>)',
    'cel.@mapInsert(map(<K>, <V>), map(<K>, <V>)): map(<K>, <V>)',
  ],
  '1.33': [
    ...each(['string', 'string, bool'], 'semver(#): kubernetes.Semver', 'isSemver(#): bool'),
    ...each(['major', 'minor', 'patch'], '.#(kubernetes.Semver): int'),
    ...each(['isGreaterThan', 'isLessThan'], '.#(kubernetes.Semver, kubernetes.Semver): bool'),
    '.compareTo(kubernetes.Semver, kubernetes.Semver): int',
  ],
  '1.34': [
    'lists.range(int): list(int)',
    '.slice(list(<T>), int, int): list(<T>)',
    '.flatten(list(list(<T>))): list(<T>)',
    '.flatten(list(dyn), int): list(dyn)',
    ...each(['distinct', 'reverse'], '.#(list(<T>)): list(<T>)'),
    ...each(COMPARABLE, '.sort(list(#)): list(#)', '.@sortByAssociatedKeys(list(<T>), list(#)): list(<T>)'),
  ],
  '1.37': ['.includes(dyn, dyn): bool'],
};

/** What an expression is for: functions of some uses are declared nowhere else. */
export type FunctionUse = 'any' | 'patches' | 'lists of devices';

/** Upstream: library.JSONPatch and library.IncludesOption. */
const USES: Readonly<Record<FunctionUse, readonly string[]>> = {
  any: [],
  patches: ['jsonpatch.escapeKey(string): string'],
  'lists of devices': ['.includes(dyn, dyn): bool'],
};

/** Which functions there are: by the minor of the server, and by that of the environment that it compiles with. */
export interface FunctionMinors {
  isServerOf(minor: string): boolean;
  hasLibrary(minor: string): boolean;
}

/** The functions of upstream's environment of a minor. Upstream: k8s.io/apiserver/pkg/cel/environment. */
export function functionsOf({ isServerOf, hasLibrary }: FunctionMinors, use: FunctionUse): FunctionTable {
  const later = Object.entries(LATER).flatMap(([minor, signatures]) => (hasLibrary(minor) ? signatures : []));
  const optionals = [...OPTIONALS, ...(isServerOf('1.33') ? OPTIONALS_OF_1_33 : [])];
  const all = [...standard(), ...optionals, ...STRINGS, ...LISTS, ...VALUES, ...AUTHORIZATION, ...later];
  const functions = new Map<string, Overload[]>();
  for (const signature of [...all, ...USES[use]]) {
    const { name, overload } = parseSignature(signature);
    const known = functions.get(name);
    if (known === undefined) functions.set(name, [overload]);
    else known.push(overload);
  }
  return functions;
}

function parseSignature(signature: string): { readonly name: string; readonly overload: Overload } {
  const style = signature.startsWith('.') ? 'method' : 'function';
  const text = style === 'method' ? signature.slice(1) : signature;
  const open = text.indexOf('(');
  const close = text.lastIndexOf('): ');
  const args = splitTypes(text.slice(open + 1, close)).map(parseType);
  const params = [...new Set([...text.matchAll(/<(\w)>/g)].map(it => it[1]!))];
  return { name: text.slice(0, open), overload: { style, args, result: parseType(text.slice(close + 3)), params } };
}
