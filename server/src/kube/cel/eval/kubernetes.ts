import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  labelValueErrors,
  qualifiedNameErrors,
} from '../../names';
import { hasTextFormat } from '../../textFormats';
import { kubernetesFunctions } from '../functions';
import { CelUnknown } from '../undecided';
import { CelFailure, CelFormat, type CelValue, listOf, mapOf, typeName } from './values';

/** A function of Kubernetes' libraries for arguments of certain types. */
interface TypedFunction {
  readonly types: readonly string[];
  run(args: readonly CelValue[]): CelValue;
}

/** By name, with that of its namespace. Upstream: k8s.io/apiserver/pkg/cel/library. */
export type KubernetesFunctions = ReadonlyMap<string, readonly TypedFunction[]>;

export function kubernetesLibrary(): KubernetesFunctions {
  const functions = new Map<string, TypedFunction[]>();
  for (const [signature, run] of Object.entries(kubernetesFunctions)) {
    const [, receiver, name = '', args = ''] = SIGNATURE.exec(signature) ?? [];
    const isNamespace = receiver?.endsWith('Namespace') === true;
    const full = isNamespace ? `${receiver.replace('Namespace', '').toLowerCase()}.${name}` : name;
    const types = [...(receiver === undefined || isNamespace ? [] : [receiver]), ...args.split(', ')].filter(
      it => it !== '',
    );
    const call = run as (...args: unknown[]) => unknown;
    const made = {
      types,
      run: (given: readonly CelValue[]) => called(call, isNamespace ? [undefined, ...given] : given),
    };
    functions.set(full, [...(functions.get(full) ?? []), made]);
  }
  return functions;
}

const SIGNATURE = /^(?:((?:kubernetes|net)\.\w+|\w+Namespace)\.)?(\w+)\(([^)]*)\)/;

function called(run: (...args: unknown[]) => unknown, args: readonly unknown[]): CelValue {
  try {
    const result = run(...args);
    return result instanceof Map ? textLists(result as ReadonlyMap<string, readonly string[]>) : (result as CelValue);
  } catch (error) {
    if (error instanceof CelUnknown) throw error;
    return new CelFailure((error as Error).message);
  }
}

const textLists = (of: ReadonlyMap<string, readonly string[]>): CelValue =>
  mapOf(new Map([...of].map(([name, texts]) => [name, [name, listOf([...texts])]])));

/** The result of a function of Kubernetes; undefined if it has none for these types. */
export function kubernetesCall(
  functions: KubernetesFunctions,
  name: string,
  args: readonly CelValue[],
): CelValue | undefined {
  const fitting = functions
    .get(name)
    ?.find(it => it.types.length === args.length && it.types.every((type, i) => type === typeName(args[i]!)));
  return fitting?.run(args);
}

/** A name that may be continued, as `generateName` is. */
const asPrefix = (errors: (text: string) => readonly string[]) => (text: string) =>
  errors(text.endsWith('-') && text.length > 1 ? `${text.slice(0, -1)}a` : text);

const ofText =
  (format: string, error: string) =>
  (text: string): readonly string[] =>
    hasTextFormat(text, format) ? [] : [error];

/** Upstream: library.ConstantFormats. */
const FORMATS: Readonly<Record<string, CelFormat>> = {
  dns1123Label: new CelFormat('DNS1123Label', 30, dns1123LabelErrors),
  dns1123Subdomain: new CelFormat('DNS1123Subdomain', 60, dns1123SubdomainErrors),
  dns1035Label: new CelFormat('DNS1035Label', 30, dns1035LabelErrors),
  qualifiedName: new CelFormat('QualifiedName', 60, qualifiedNameErrors),
  dns1123LabelPrefix: new CelFormat('DNS1123LabelPrefix', 30, asPrefix(dns1123LabelErrors)),
  dns1123SubdomainPrefix: new CelFormat('DNS1123SubdomainPrefix', 60, asPrefix(dns1123SubdomainErrors)),
  dns1035LabelPrefix: new CelFormat('DNS1035LabelPrefix', 30, asPrefix(dns1035LabelErrors)),
  labelValue: new CelFormat('LabelValue', 40, labelValueErrors),
  uri: new CelFormat('URI', 1103, ofText('uri', 'invalid URI')),
  uuid: new CelFormat('uuid', 70, ofText('uuid', 'does not match the UUID format')),
  byte: new CelFormat('byte', 84, ofText('byte', 'invalid base64')),
  date: new CelFormat('date', 71, ofText('date', 'invalid date')),
  datetime: new CelFormat('datetime', 71, ofText('datetime', 'invalid datetime')),
};

export const formatNamed = (name: string): CelFormat | undefined =>
  Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
