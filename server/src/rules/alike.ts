import { holdsPods, podTemplatePath } from '../kube/podTemplates';
import type { JsonObject, JsonValue } from '../manifest/manifest';
import type { Target } from './rule';
import { asList, asObject, asText } from './values';

/** What stands in the place of the name. No text that is read holds it. */
const NAME = '\0';

/** Longer texts are seldom alike, and a few of them would fill the memory. */
const LONGEST_TEXT = 8_000;
const MOST_TEXTS = 256;

/** Of such names of one length any is as good as the other wherever `occurrencesIn` looks for one: only their equality counts. */
const PLAIN_NAME = /^[a-z][-a-z0-9]{0,61}[a-z0-9]$/;

/** Texts of objects, but for their names, in which the rules that look at one object alone find nothing. The last ones are kept. */
export interface CleanTexts {
  readonly has: (text: string) => boolean;
  readonly add: (text: string) => void;
}

export function createCleanTexts(): CleanTexts {
  const texts = new Set<string>();
  return {
    has: text => texts.has(text),
    add(text) {
      texts.add(text);
      const [first] = texts.size > MOST_TEXTS ? texts : [];
      if (first !== undefined) texts.delete(first);
    },
  };
}

/**
 * The text of a workload that is the same for those that differ in their names alone, such as all that one template made;
 * rules that look at one object alone find something in all of them or in none. undefined where the name stands in a place in
 * which it may mean something, in a comment or in a key, and where values are not written as they are (anchors, escapes).
 */
export function textButForName({ object, value }: Target): string | undefined {
  const { text } = object.manifest;
  if (text === undefined || text.length > LONGEST_TEXT || !holdsPods(object.group, object.kind)) return undefined;
  const name = asText(asObject(value.metadata)?.name);
  if (name === undefined || !PLAIN_NAME.test(name) || text.includes('&') || text.includes('\\')) return undefined;
  const rest = text.replaceAll(name, NAME);
  const count = (text.length - rest.length) / (name.length - NAME.length);
  return count === occurrencesIn(object.kind, value, name) ? `${name.length} ${rest}` : undefined;
}

/** How often the name stands where rules ask no more than whether it is a name, and which others it is equal to. */
function occurrencesIn(kind: string, object: JsonObject, name: string): number {
  const metadata = asObject(object.metadata);
  const path = podTemplatePath(kind) ?? [];
  const template = path.reduce<JsonObject | undefined>((it, field) => asObject(it?.[field]), object);
  const spec = asObject(template?.spec);
  const ofTemplate = path.length === 0 ? undefined : asObject(template?.metadata)?.labels;
  const labels = [metadata?.labels, asObject(asObject(object.spec)?.selector)?.matchLabels, ofTemplate];
  const containers = [...asList(spec?.initContainers), ...asList(spec?.containers)];
  return (
    countOf(metadata?.name, name) +
    countOf(spec?.serviceAccountName, name) +
    sum(labels, it => sum(Object.values(asObject(it) ?? {}), value => countOf(value, name))) +
    sum(containers, it => countInContainer(it, name))
  );
}

function countInContainer(container: JsonValue, name: string): number {
  const { name: own, image, command, args } = asObject(container) ?? {};
  const words = [...asList(command), ...asList(args)];
  return countOf(own, name) + countInImage(image, name) + sum(words, it => countInWord(it, name));
}

/** The last part of the repository alone: a tag may mean something. */
function countInImage(image: JsonValue | undefined, name: string): number {
  if (typeof image !== 'string' || !image.includes('/')) return 0;
  const [path = ''] = image.slice(image.lastIndexOf('/') + 1).split(/[:@]/, 1);
  return countOf(path, name);
}

/** A variable that is named means something. */
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
