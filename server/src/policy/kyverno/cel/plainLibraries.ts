import { isObject, type JsonObject, type JsonValue } from '../../../base/json';
import { jsonText } from '../../../base/printed';
import { type CelEnvironment, celLibrary } from '../../../kube/cel/library';
import { type RegexMatch, replaceMatches } from '../../../kube/cel/regex';
import { inTime, regexOf } from '../../../kube/cel/regexCalls';
import { CelUnknown } from '../../../kube/cel/undecided';
import { celValue } from '../../../kube/cel/values';
import { parseManifests } from '../../../manifest/parse';
import { md5, sha1, sha256 } from '../../hashes';
import { serviceAccountOf } from '../context/context';
import { x509Decode } from '../go/certificates';
import { CelObject, celObject, jsonOf } from './json';

type Run = (...args: never[]) => unknown;

/** Namespaces of functions: `json.unmarshal(…)`. */
const namespaces = [
  'json',
  'yaml',
  'hash',
  'transform',
  'user',
  'random',
  'time',
  'x509',
  'gzip',
  'jsonpatch',
  'regex',
];

const inNamespace = (name: string): string => `kyverno.${name}`;

/** Libraries that need no cluster. Upstream: kyverno/sdk cel/libs, cel-go's regex, the API server's jsonpatch. */
export function withPlainLibraries(environment: CelEnvironment): CelEnvironment {
  environment.registerType('kyverno.Object', { ctor: CelObject as unknown as new () => object });
  for (const name of namespaces) {
    const ctor = class {};
    environment.registerType(inNamespace(name), { ctor });
    environment.registerConstant(name, inNamespace(name), new ctor());
  }
  for (const [signature, run] of Object.entries(functions))
    environment.registerFunction(signature, run as () => unknown);
  return environment;
}

/** A function that later versions put in a namespace, and earlier ones do not. */
function both(namespace: string, signature: string, run: Run): Readonly<Record<string, Run>> {
  const inside = (_: unknown, ...args: never[]) => run(...args);
  return { [signature]: run, [`${inNamespace(namespace)}.${signature}`]: inside };
}

const onlyInside = (namespace: string, signature: string, run: Run): Readonly<Record<string, Run>> => ({
  [`${inNamespace(namespace)}.${signature}`]: (_: unknown, ...args: never[]) => run(...args),
});

const leftToChance = (): never => {
  throw new CelUnknown('what random() gives is left to chance');
};

const functions: Readonly<Record<string, Run>> = {
  'makeObject(string, list): dyn': celObject,
  ...both('hash', 'sha256(string): string', sha256),
  ...both('hash', 'sha1(string): string', sha1),
  ...both('hash', 'md5(string): string', md5),
  ...both('user', 'parseServiceAccount(string): dyn', serviceAccount),
  ...both('transform', 'listObjToMap(list, list, string, string): dyn', listToMap),
  ...both('random', 'random(): string', leftToChance),
  ...both('random', 'random(string): string', leftToChance),
  ...onlyInside('json', 'unmarshal(dyn): dyn', unmarshal),
  ...onlyInside('json', 'marshal(dyn): string', (value: unknown) => jsonText(jsonOf(value))),
  ...onlyInside('yaml', 'parse(string): dyn', parseYaml),
  ...onlyInside('x509', 'decode(string): dyn', (pem: string) => celValue(x509Decode(pem))),
  ...onlyInside('time', 'now(): google.protobuf.Timestamp', () => {
    throw new CelUnknown('what time it is');
  }),
  ...onlyInside('time', 'toCron(google.protobuf.Timestamp): string', cronOf),
  ...onlyInside('jsonpatch', 'escapeKey(string): string', (key: string) =>
    key.replaceAll('~', '~0').replaceAll('/', '~1'),
  ),
  ...onlyInside('regex', 'replace(string, string, string): string', replaced),
  ...onlyInside('regex', 'replace(string, string, string, int): string', replaced),
  ...onlyInside('regex', 'extract(string, string): optional<string>', extract),
  ...onlyInside('regex', 'extractAll(string, string): list<string>', (text: string, pattern: string) =>
    extracted(text, pattern),
  ),
};

function serviceAccount(user: string): unknown {
  const { serviceAccountName, serviceAccountNamespace } = serviceAccountOf(user);
  return celValue({ Name: serviceAccountName ?? '', Namespace: serviceAccountNamespace ?? '' });
}

function unmarshal(text: unknown): unknown {
  if (typeof text !== 'string') throw new Error('no such overload: unmarshal');
  return celValue(JSON.parse(text) as JsonValue);
}

function parseYaml(text: string): unknown {
  const { documents, problems } = parseManifests('yaml.parse', text);
  if (problems.length > 0) throw new Error(problems[0]?.message ?? 'the text is no YAML');
  return celValue(documents[0]?.value ?? null);
}

/** Minute, hour, day, month and weekday in UTC. */
function cronOf(at: Date): string {
  return [at.getUTCMinutes(), at.getUTCHours(), at.getUTCDate(), at.getUTCMonth() + 1, at.getUTCDay()].join(' ');
}

/** The entries of a map, from an object or from a map literal. */
function fieldOf(of: unknown, name: string): unknown {
  if (of instanceof Map) return of.get(name);
  return isObject(of as JsonValue) ? (of as JsonObject)[name] : undefined;
}

/** The values of one list, keyed by the other. */
function listToMap(keys: readonly unknown[], values: readonly unknown[], key: string, value: string): unknown {
  if (keys.length !== values.length) {
    throw new Error(`listObjToMap must take lists of equal length. list1: ${keys.length}, list2: ${values.length}`);
  }
  return new Map(
    keys.map((it, i) => {
      const name = fieldOf(it, key);
      if (typeof name !== 'string')
        throw new Error('the passed key name cannot be handled as a string in the key object list');
      return [name, fieldOf(values[i], value) ?? null];
    }),
  );
}

/** Replaces the first `count` matches, or all if it is negative. Upstream: cel-go ext.Regex, regReplaceN. */
function replaced(text: string, pattern: string, by: string, count = -1n): string {
  if (count === 0n) return text;
  const regex = regexOf(pattern);
  const expanded = (template: string, match: RegexMatch) => groupsIn(template, match, regex.groupCount);
  return inTime(replaceMatches(regex, text, by, expanded, count < 0n ? undefined : Number(count)));
}

/** `\1` is a group, `\\` one backslash. Upstream: cel-go ext.Regex, replaceStrValidator. */
function groupsIn(template: string, { groups }: RegexMatch, groupCount: number): string {
  return template.replace(/\\([\s\S]?)/gu, (_, it: string) => {
    if (it === '\\') return it;
    if (it === '') throw new Error(`invalid replacement string: '${template}' \\ not allowed at end`);
    if (!/\d/.test(it)) {
      throw new Error(`invalid replacement string: '${template}' \\ must be followed by a digit or \\`);
    }
    if (Number(it) > groupCount) {
      throw new Error(`replacement string references group ${it} but regex has only ${groupCount} group(s)`);
    }
    return groups[Number(it)] ?? '';
  });
}

/** The only group of each match, or the whole match without groups. Upstream: cel-go ext.Regex, extractAll. */
function extracted(text: string, pattern: string, most?: number): readonly string[] {
  const regex = regexOf(pattern);
  if (regex.groupCount > 1) {
    throw new Error(`regular expression has more than one capturing group: ${JSON.stringify(pattern)}`);
  }
  const found = inTime(regex.findAll(text, most));
  return regex.groupCount === 0
    ? found.map(it => it.whole)
    : found.map(it => it.groups[1] ?? '').filter(it => it !== '');
}

function extract(text: string, pattern: string): unknown {
  const { Optional } = celLibrary();
  const [found] = extracted(text, pattern, 1);
  return found === undefined ? Optional.none() : Optional.of(found);
}
