import { asList, asObject, asText, type JsonValue } from '../base/json';
import { regexOf } from '../base/regexText';
import { holdsPods, podSpecPath } from '../kube/podTemplates';
import { FieldPath } from '../manifest/fieldPath';
import { fieldAt, valueAt } from '../manifest/valueAt';
import type { WorkspaceObject } from '../workspace/object';
import type { PolicyLocation } from './result';

/**
 * The field that a policy's message is about, as far as the text tells: a field path in it, a container that it names,
 * or the labels or annotations that it mentions; else the object's kind. `details` are the policy's structured
 * details.
 */
export function locationOfMessage(object: WorkspaceObject, message: string, details: unknown): PolicyLocation {
  const { value } = object.manifest;
  const texts = [...textsIn(details), message];
  const path = texts.flatMap(pathsIn).find(it => valueAt(value, it) !== undefined);
  if (path !== undefined) return { object, at: path, part: 'entry' };
  const container = containerNamedIn(object, message);
  if (container !== undefined) return { object, at: container, part: 'value' };
  const map = ['labels', 'annotations'].find(it => new RegExp(`\\b${it.slice(0, -1)}s?\\b`, 'i').test(message));
  if (map !== undefined) return { object, at: FieldPath.of('metadata', map), part: 'key' };
  return { object, at: FieldPath.of('kind'), part: 'value' };
}

function textsIn(details: unknown): readonly string[] {
  if (typeof details === 'string') return [details];
  if (typeof details !== 'object' || details === null) return [];
  return Object.values(details).flatMap(textsIn);
}

/** Field paths in a text: `spec.containers[0].image`, `.metadata.labels.app`, with or without `input.`. */
function pathsIn(text: string): readonly FieldPath[] {
  return [
    ...text.matchAll(/(?<![\w.])\.?((?:spec|metadata|data|rules|subjects|status)(?:\.[A-Za-z_]\w*|\[\d+\])+)/g),
  ].map(([, path = '']) =>
    FieldPath.of(
      ...path
        .split(/[.[\]]+/)
        .filter(Boolean)
        .map(it => (/^\d+$/.test(it) ? Number(it) : it)),
    ),
  );
}

const CONTAINER_LISTS = ['containers', 'initContainers', 'ephemeralContainers'] as const;

/**
 * The container whose name is in the message as a name: in quotes, in angle brackets, or after the word "container".
 */
function containerNamedIn(object: WorkspaceObject, message: string): FieldPath | undefined {
  const at = holdsPods(object.group, object.kind) ? podSpecPath(object.kind) : undefined;
  if (at === undefined) return undefined;
  const spec = asObject(fieldAt(object.manifest.value, ...at));
  const named = CONTAINER_LISTS.flatMap(list =>
    asList(spec?.[list]).map((it: JsonValue, index) => ({ list, index, name: asText(fieldAt(it, 'name')) ?? '' })),
  );
  const found = named.find(({ name }) => {
    const plain = regexOf(name);
    return name !== '' && new RegExp(`["'<\`]${plain}["'>\`]|[Cc]ontainer:? ${plain}(?![\\w-])`).test(message);
  });
  return found && FieldPath.of(...at, found.list, found.index, 'name');
}
