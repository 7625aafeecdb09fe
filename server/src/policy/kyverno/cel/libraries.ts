import { Undecided } from '../../../kube/cel/collections';
import type { CelEnvironment } from '../../../kube/cel/library';
import { celValue } from '../../../kube/cel/values';
import type { JsonObject } from '../../../manifest/manifest';
import { type Image, imageOf, imageText } from '../images';

/** What Kyverno's libraries ask a cluster and registries for; undefined where that is not known. */
export interface ClusterLibrary {
  get(apiVersion: string, resource: string, namespace: string, name: string): JsonObject | undefined;
  list(apiVersion: string, resource: string, namespace: string): readonly JsonObject[] | undefined;
  imageMetadata(image: string): JsonObject | undefined;
}

class ResourceLibrary {}
class ImageLibrary {}
class CelImage {
  constructor(readonly image: Image) {}
}

/** `resource.Get`, `resource.List`, `image.GetMetadata` and `image(…)`. Upstream: kyverno/sdk cel/libs. */
export function withLibraries(environment: CelEnvironment, cluster: ClusterLibrary): CelEnvironment {
  environment.registerType('kyverno.Resource', { ctor: ResourceLibrary });
  environment.registerType('kyverno.ImageData', { ctor: ImageLibrary });
  environment.registerType('kyverno.Image', { ctor: CelImage });
  environment.registerConstant('resource', 'kyverno.Resource', new ResourceLibrary());
  environment.registerConstant('image', 'kyverno.ImageData', new ImageLibrary());
  const get = (_: unknown, apiVersion: string, resource: string, namespace: string, name: string) => {
    const found = cluster.get(apiVersion, resource, namespace, name);
    if (found === undefined) throw new Undecided(`${resource} ${name}, which is not in the workspace`);
    return celValue(found);
  };
  const list = (_: unknown, apiVersion: string, resource: string, namespace: string) => {
    const items = cluster.list(apiVersion, resource, namespace);
    if (items === undefined) throw new Undecided(`the list of ${resource}, of which none is in the workspace`);
    return celValue({ items });
  };
  const functions: Readonly<Record<string, (...args: never[]) => unknown>> = {
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
    ...inBothSpellings('kyverno.ImageData', 'GetMetadata(dyn): dyn', (_: unknown, image: string) =>
      metadataOf(image, cluster),
    ),
    'image(string): kyverno.Image': readImage,
    'isImage(string): bool': (text: string) => imageOf(text) !== undefined,
    'kyverno.Image.registry(): string': ({ image }: CelImage) => image.registry,
    'kyverno.Image.repository(): string': ({ image }: CelImage) => image.path,
    'kyverno.Image.tag(): string': ({ image }: CelImage) => image.tag,
    'kyverno.Image.digest(): string': ({ image }: CelImage) => image.digest,
    'kyverno.Image.containsDigest(): bool': ({ image }: CelImage) => image.digest !== '',
    'kyverno.Image.identifier(): string': ({ image }: CelImage) => image.digest || image.tag,
    'kyverno.Image.string(): string': ({ image }: CelImage) => imageText(image),
  };
  for (const [signature, run] of Object.entries(functions))
    environment.registerFunction(signature, run as () => unknown);
  return environment;
}

/** Earlier versions wrote `resource.Get`, later ones write `resource.get`. */
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
  if (found === undefined) throw new Undecided(`what a registry tells about ${image}`);
  return celValue(found);
}
