import { asList, asObject, asText, type JsonObject, type JsonValue } from '../../base/json';
import { lazyByObject } from '../../base/lazy';
import { LONGEST_SHARED_TEXT } from '../../base/sharedTexts';
import type { StructuralSchema } from '../../kube/kube';
import { holdsPods, podTemplatePath } from '../../kube/podTemplates';
import type { RuleTarget } from '../framework/rule';
import { plainAmounts } from './plainAmounts';
import { plainTags, plainValues, type TextCounts, valuesOf } from './plainTexts';

/** Replaces the object's own name in a text. No text that is read contains it. */
const NAME = '\0';
/** Replace names of other objects. A text that contains one of them is not compared. */
const OTHER_NAMES: readonly string[] = ['\u0001', '\u0002', '\u0003'];
/** The same for amounts. */
const AMOUNTS: readonly string[] = ['\u0004', '\u0005', '\u0006', '\u0007', '\u000e', '\u000f', '\u0010', '\u0011'];
/** For tags of images. */
const TAGS: readonly string[] = ['\u0012', '\u0013', '\u0014', '\u0015'];
/** For values of variables. */
const VALUES: readonly string[] = ['\u0016', '\u0017', '\u0018', '\u0019', '\u001a', '\u001c', '\u001d', '\u001e'];

/**
 * Names of this form and of equal length are interchangeable where `occurrencesIn` counts them: rules only compare
 * them.
 */
const PLAIN_NAME = /^[a-z][-a-z0-9]{0,61}[a-z0-9]$/;

export interface TextWithoutNames {
  readonly text: string;
  /** Those that were replaced, and the amounts, tags and values of variables that were. */
  readonly names: readonly string[];
}

/**
 * The text of an object with its names replaced, and of a Pod's containers the amounts that they ask for, the versions of
 * their images and the values of their variables: objects from one template that differ only in these share it, and the
 * rules that look at one object alone find the same in all of them, but for these. undefined if the name has a meaning, or
 * occurs where it may have one (in a comment or a key), and if values are not written literally (anchors, escapes).
 */
export function textWithoutNames(target: RuleTarget): TextWithoutNames | undefined {
  const { object, value } = target;
  const { text } = object.manifest;
  if (text === undefined || text.length > LONGEST_SHARED_TEXT) return undefined;
  const name = asText(asObject(value.metadata)?.name);
  if (name === undefined || hasMeaning(name, target) || NOT_LITERAL.test(text)) return undefined;
  const template = templateOf(object, value);
  const places = nameLocations(object, value, template);
  const start = withoutOwnName(object, text, name, places);
  if (start === undefined) return undefined;
  const others = comparedNames(places).filter(it => !start.names.some(own => areOneInOther(it, own)));
  const named = withoutOthers(start, others, places);
  return template === undefined ? named : withoutContainerTexts(named, asObject(template.spec), places);
}

/** Whether rules may ask more of an object's name than whether it is a valid one. */
function hasMeaning(name: string, { object: { group, kind }, kind: info }: RuleTarget): boolean {
  if (holdsPods(group, kind) || isService(group, kind)) return false;
  return (
    group === FLOW_CONTROL || SPECIAL_NAME.test(name) || (info?.structural !== undefined && readsNames(info.structural))
  );
}

/** Whether a schema may limit an object's name, the only part of the metadata that it can limit. */
const readsNames = lazyByObject((schema: StructuralSchema): boolean => {
  const { properties, allOf, anyOf, oneOf, not, 'x-kubernetes-validations': rules = [] } = schema;
  if ([properties?.metadata, allOf, anyOf, oneOf, not].some(it => it !== undefined)) return true;
  return rules.some(it => Object.values(it).some(text => typeof text === 'string' && text.includes('metadata')));
});

/** Without the texts of a Pod's containers that are as good as others. */
function withoutContainerTexts(
  named: TextWithoutNames,
  podSpec: JsonObject | undefined,
  { containers, labels }: NameLocations,
): TextWithoutNames {
  const { counts, order } = plainAmounts(podSpec, containers);
  const less = withoutTexts(named, counts, AMOUNTS);
  const plain = less === named ? named : { text: `${order} ${less.text}`, names: less.names };
  return withoutTexts(withoutTexts(plain, plainTags(containers, labels), TAGS), plainValues(containers), VALUES);
}

interface Start {
  readonly key: string;
  readonly rest: string;
  readonly names: readonly string[];
}

/** A name of which little is known stays in the text. */
function withoutOwnName(
  { apiVersion, kind }: RuleTarget['object'],
  text: string,
  name: string,
  places: NameLocations,
): Start | undefined {
  if (!PLAIN_NAME.test(name)) return { key: `${apiVersion} ${kind} as written`, rest: text, names: [] };
  const rest = withoutName(text, name, NAME, places);
  return rest === undefined ? undefined : { key: `${apiVersion} ${kind} ${name.length}`, rest, names: [name] };
}

const areOneInOther = (a: string, b: string): boolean => a.includes(b) || b.includes(a);

/** The text with further names replaced, preceded by a key of which names were replaced and how long they are. */
function withoutOthers(start: Start, others: readonly string[], places: NameLocations): TextWithoutNames {
  let { key, rest } = start;
  const names = [...start.names];
  for (const [i, name] of others.slice(0, OTHER_NAMES.length).entries()) {
    const less = withoutName(rest, name, OTHER_NAMES[i] ?? NAME, places);
    if (less === undefined) continue;
    key += ` ${i}:${name.length}`;
    rest = less;
    names.push(name);
  }
  return { text: `${key} ${rest}`, names };
}

/** The text with those replaced that occur nowhere else; `given` itself where there are none. */
function withoutTexts(given: TextWithoutNames, counts: TextCounts, instead: readonly string[]): TextWithoutNames {
  let rest = given.text;
  const replaced: string[] = [];
  for (const [text, count] of counts.slice(0, instead.length)) {
    const less = rest.replaceAll(text, instead[replaced.length] ?? text);
    if (rest.length - less.length !== count * (text.length - 1)) continue;
    rest = less;
    replaced.push(text);
  }
  return replaced.length === 0 ? given : { text: rest, names: [...given.names, ...replaced] };
}

const isService = (group: string, kind: string): boolean => group === '' && kind === 'Service';

/** The text with a name replaced; undefined if the name also occurs where it may have a meaning. */
function withoutName(text: string, name: string, instead: string, places: NameLocations): string | undefined {
  if (!PLAIN_NAME.test(name)) return undefined;
  const rest = text.replaceAll(name, instead);
  const count = (text.length - rest.length) / (name.length - instead.length);
  return count === occurrencesIn(places, name) ? rest : undefined;
}

/** Names of other objects that rules only compare: any account or namespace that is no special one is as good as another. */
const comparedNames = ({ others }: NameLocations): readonly string[] => [
  ...new Set(others.flatMap(it => (typeof it === 'string' && !SPECIAL_NAME.test(it) ? [it] : []))),
];

/** Some names of its kinds have a fixed spec. */
const FLOW_CONTROL = 'flowcontrol.apiserver.k8s.io';

const SPECIAL_NAME = /^(?:default$|kube-|system-)/;

/** The names of ConfigMaps, Secrets and claims in a Pod's spec. */
function mountedNames(spec: JsonObject | undefined): readonly (JsonValue | undefined)[] {
  if (spec === undefined) return [];
  const inItems = (list: JsonValue | undefined, paths: readonly (readonly string[])[]) =>
    asList(list).flatMap(it => paths.map(path => path.reduce(fieldOf, it as JsonValue | undefined)));
  const containers = [...asList(spec.initContainers), ...asList(spec.containers)].map(it => asObject(it));
  return [
    ...containers.flatMap(it => inItems(it?.envFrom, OF_SOURCES)),
    ...containers.flatMap(it => inItems(it?.env, OF_VARIABLES)),
    ...inItems(spec.volumes, OF_VOLUMES),
  ];
}

const fieldOf = (it: JsonValue | undefined, name: string): JsonValue | undefined => asObject(it)?.[name];

const OF_SOURCES = [
  ['configMapRef', 'name'],
  ['secretRef', 'name'],
];
const OF_VARIABLES = [
  ['valueFrom', 'configMapKeyRef', 'name'],
  ['valueFrom', 'secretKeyRef', 'name'],
];
const OF_VOLUMES = [
  ['configMap', 'name'],
  ['secret', 'secretName'],
  ['persistentVolumeClaim', 'claimName'],
];

/** In a text with an anchor or an escape the written value may differ from the value that is read; the others are used here. */
const NOT_LITERAL = new RegExp(`[&\\\\${[...OTHER_NAMES, ...AMOUNTS, ...TAGS, ...VALUES].join('')}]`);

interface NameLocations {
  /** Values in which a name has no further meaning. */
  readonly values: readonly (JsonValue | undefined)[];
  /** Those of them that may be names of other objects. */
  readonly others: readonly (JsonValue | undefined)[];
  readonly labels: readonly (JsonValue | undefined)[];
  readonly containers: readonly JsonValue[];
}

type Kinded = Pick<RuleTarget['object'], 'group' | 'kind'>;

const templateOf = ({ group, kind }: Kinded, object: JsonObject): JsonObject | undefined =>
  holdsPods(group, kind)
    ? podTemplatePath(kind)?.reduce<JsonObject | undefined>((it, field) => asObject(it?.[field]), object)
    : undefined;

function nameLocations({ group, kind }: Kinded, object: JsonObject, template: JsonObject | undefined): NameLocations {
  const metadata = asObject(object.metadata);
  const selector = asObject(object.spec)?.selector;
  const spec = asObject(template?.spec);
  const isOfService = isService(group, kind);
  const maps = [
    metadata?.labels,
    isOfService ? selector : asObject(selector)?.matchLabels,
    template === object ? undefined : asObject(template?.metadata)?.labels,
  ];
  const labels = maps.flatMap(it => Object.values(asObject(it) ?? {}));
  const referred = [spec?.serviceAccountName, metadata?.namespace, ...mountedNames(spec)];
  return {
    values: [metadata?.name, ...referred, ...labels],
    others: isOfService ? [...referred, ...Object.values(asObject(selector) ?? {})] : referred,
    labels,
    containers: [...asList(spec?.initContainers), ...asList(spec?.containers)],
  };
}

/** How often a name occurs where rules ask only whether it is a valid name and which other names it equals. */
function occurrencesIn({ values, containers }: NameLocations, name: string): number {
  return sum(values, it => countOf(it, name)) + sum(containers, it => countInContainer(it, name));
}

function countInContainer(container: JsonValue, name: string): number {
  const { name: own, image, command, args } = asObject(container) ?? {};
  const words = [...asList(command), ...asList(args), ...valuesOf(container)];
  return countOf(own, name) + countInImage(image, name) + sum(words, it => countInWord(it, name));
}

/** Counts only in the last part of the repository: a tag may have a meaning. */
function countInImage(image: JsonValue | undefined, name: string): number {
  if (typeof image !== 'string' || !image.includes('/')) return 0;
  const [path = ''] = image.slice(image.lastIndexOf('/') + 1).split(/[:@]/, 1);
  return countOf(path, name);
}

/** A reference to a variable has a meaning. */
function countInWord(word: JsonValue, name: string): number {
  return typeof word === 'string' && word.includes('$(') ? 0 : countOf(word, name);
}

function countOf(text: JsonValue | undefined, name: string): number {
  if (typeof text !== 'string') return 0;
  let count = 0;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) count += 1;
  return count;
}

function sum<T>(all: readonly T[], count: (it: T) => number): number {
  return all.reduce((sum, it) => sum + count(it), 0);
}
