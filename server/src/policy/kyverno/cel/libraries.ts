import type { JsonObject, JsonValue } from '../../../base/json';
import type { CelEnvironment } from '../../../kube/cel/library';
import { CelUnknown } from '../../../kube/cel/undecided';
import { celValue } from '../../../kube/cel/values';
import { isList, isMap } from '../go/goValues';
import { type Image, imageOf, imageText } from '../resource/images';
import { jsonOf } from './json';

/** What Kyverno's libraries request from a cluster and from registries; undefined when unknown. */
export interface ClusterLibrary {
  get(apiVersion: string, resource: string, namespace: string, name: string): JsonObject | undefined;
  list(apiVersion: string, resource: string, namespace: string): readonly JsonObject[] | undefined;
  imageMetadata(image: string): JsonObject | undefined;
  /** The value of a GlobalContextEntry. */
  globalEntry?(name: string): JsonValue | undefined;
  /** The response of a service, as a suite mocks it. */
  httpCall?(method: string, url: string): JsonValue | undefined;
}

class ResourceLibrary {}
class ImageLibrary {}
class GlobalContext {}
class HttpLibrary {}

/** Collects the objects that the expressions of a GeneratingPolicy create. Each evaluation has its own. */
export class CelGenerator {
  readonly made: { readonly namespace: string; readonly object: JsonObject }[] = [];
}

class CelImage {
  constructor(readonly image: Image) {}
}

type LibraryFunctions = Readonly<Record<string, (...args: never[]) => unknown>>;

/** `resource.Get`, `resource.List`, `image.GetMetadata` and `image(…)`. Upstream: kyverno/sdk cel/libs. */
export function withLibraries(environment: CelEnvironment, cluster: ClusterLibrary): CelEnvironment {
  environment.registerType('kyverno.Resource', { ctor: ResourceLibrary });
  environment.registerType('kyverno.ImageData', { ctor: ImageLibrary });
  environment.registerType('kyverno.Image', { ctor: CelImage });
  environment.registerConstant('resource', 'kyverno.Resource', new ResourceLibrary());
  environment.registerConstant('image', 'kyverno.ImageData', new ImageLibrary());
  environment.registerType('kyverno.GlobalContext', { ctor: GlobalContext });
  environment.registerConstant('globalContext', 'kyverno.GlobalContext', new GlobalContext());
  environment.registerType('kyverno.Http', { ctor: HttpLibrary });
  environment.registerConstant('http', 'kyverno.Http', new HttpLibrary());
  environment.registerType('kyverno.Generator', { ctor: CelGenerator });
  environment.registerVariable('generator', 'kyverno.Generator');
  const functions: LibraryFunctions = {
    ...resourceFunctions(cluster),
    ...imageFunctions(cluster),
    ...outsideFunctions(cluster),
    ...generatorFunctions,
  };
  for (const [signature, run] of Object.entries(functions))
    environment.registerFunction(signature, run as () => unknown);
  return environment;
}

/** Cached: a list that many objects request is converted once. */
function resourceFunctions(cluster: ClusterLibrary): LibraryFunctions {
  const lists = new WeakMap<object, unknown>();
  const get = (_: unknown, apiVersion: string, resource: string, namespace: string, name: string) => {
    const found = cluster.get(apiVersion, resource, namespace, name);
    if (found === undefined) throw new CelUnknown(`${resource} ${name}, which is not in the workspace`);
    return celValue(found);
  };
  const list = (_: unknown, apiVersion: string, resource: string, namespace: string) => {
    const items = cluster.list(apiVersion, resource, namespace);
    if (items === undefined) throw new CelUnknown(`the list of ${resource}, of which none is in the workspace`);
    const value = lists.get(items) ?? celValue({ items });
    lists.set(items, value);
    return value;
  };
  return {
    ...inBothSpellings('kyverno.Resource', 'Get(dyn, dyn, dyn, dyn): dyn', get),
    ...inBothSpellings(
      'kyverno.Resource',
      'Get(dyn, dyn, dyn): dyn',
      (it: unknown, apiVersion: string, resource: string, name: string) => get(it, apiVersion, resource, '', name),
    ),
    ...inBothSpellings('kyverno.Resource', 'List(dyn, dyn, dyn): dyn', list),
    ...inBothSpellings('kyverno.Resource', 'List(dyn, dyn): dyn', (it: unknown, apiVersion: string, resource: string) =>
      list(it, apiVersion, resource, ''),
    ),
  };
}

function imageFunctions(cluster: ClusterLibrary): LibraryFunctions {
  return {
    ...inBothSpellings('kyverno.ImageData', 'GetMetadata(dyn): dyn', (_: unknown, image: string) =>
      metadataOf(image, cluster),
    ),
    'image(string): kyverno.Image': readImage,
    'parseImageReference(string): kyverno.Image': readImage,
    'isImage(string): bool': (text: string) => imageOf(text) !== undefined,
    'kyverno.Image.registry(): string': ({ image }: CelImage) => image.registry,
    'kyverno.Image.repository(): string': ({ image }: CelImage) => image.path,
    'kyverno.Image.tag(): string': ({ image }: CelImage) => image.tag,
    'kyverno.Image.digest(): string': ({ image }: CelImage) => image.digest,
    'kyverno.Image.containsDigest(): bool': ({ image }: CelImage) => image.digest !== '',
    'kyverno.Image.identifier(): string': ({ image }: CelImage) => image.digest || image.tag,
    'kyverno.Image.identifierWithSeparator(): string': ({ image }: CelImage) =>
      image.digest === '' ? `:${image.tag}` : `@${image.digest}`,
    'kyverno.Image.string(): string': ({ image }: CelImage) => imageText(image),
  };
}

/** Only test suites answer these. */
function outsideFunctions(cluster: ClusterLibrary): LibraryFunctions {
  const entry = (_: unknown, name: string, projection?: string) => {
    const found = cluster.globalEntry?.(name);
    if (found === undefined) throw new CelUnknown(`the GlobalContextEntry ${name}`);
    if (projection === undefined || projection === '') return celValue(found);
    return celValue(isMap(found) ? (found[projection] ?? null) : null);
  };
  const call = (method: string) => (_: unknown, url: string) => {
    const found = cluster.httpCall?.(method, url);
    if (found === undefined) throw new CelUnknown(`what ${url} answers; nothing is asked over the network`);
    return celValue(found);
  };
  return {
    ...inBothSpellings('kyverno.GlobalContext', 'Get(dyn): dyn', entry),
    ...inBothSpellings('kyverno.GlobalContext', 'Get(dyn, dyn): dyn', entry),
    ...inBothSpellings('kyverno.Http', 'Get(dyn): dyn', call('GET')),
    ...inBothSpellings('kyverno.Http', 'Get(dyn, dyn): dyn', call('GET')),
    ...inBothSpellings('kyverno.Http', 'Post(dyn, dyn): dyn', call('POST')),
    ...inBothSpellings('kyverno.Http', 'Post(dyn, dyn, dyn): dyn', call('POST')),
    ...inBothSpellings('kyverno.Http', 'Client(dyn): kyverno.Http', (it: HttpLibrary) => it),
  };
}

/** A policy in a namespace names no namespace. Upstream: generator's lib and namespacedImpl. */
const generatorFunctions: LibraryFunctions = {
  ...inBothSpellings('kyverno.Generator', 'Apply(dyn, dyn): bool', generate),
  ...inBothSpellings('kyverno.Generator', 'Apply(dyn): bool', (it: CelGenerator, objects: unknown) =>
    generate(it, '', objects),
  ),
};

function generate({ made }: CelGenerator, namespace: string, objects: unknown): boolean {
  const list = jsonOf(objects);
  if (!isList(list)) throw new Error('no such overload: Apply');
  for (const object of list) {
    if (!isMap(object)) throw new Error('failed to generate resources: an object is expected');
    const items = isList(object.items) ? object.items.filter(isMap) : [object];
    for (const each of items.map(it => ({ namespace, object: it }))) made.push(each);
  }
  return true;
}

/** Earlier versions are written `resource.Get`, later ones `resource.get`. */
function inBothSpellings(type: string, signature: string, run: (...args: never[]) => unknown) {
  const lower = signature.charAt(0).toLowerCase() + signature.slice(1);
  return { [`${type}.${signature}`]: run, [`${type}.${lower}`]: run };
}

function readImage(text: string): CelImage {
  const image = imageOf(text);
  if (image === undefined) throw new Error(`could not parse reference: ${text}`);
  return new CelImage(image);
}

function metadataOf(image: string, cluster: ClusterLibrary): unknown {
  const found = cluster.imageMetadata(image);
  if (found === undefined) throw new CelUnknown(`what a registry tells about ${image}`);
  return celValue(found);
}
