import type { JsonObject, JsonValue } from '../../../base/json';
import { isList, isMap } from '../go/goValues';
import { KyvernoError } from '../results/failures';

/** The parts of an image's name. Upstream: pkg/utils/image.ImageInfo. */
export interface Image {
  readonly registry: string;
  readonly name: string;
  readonly path: string;
  readonly tag: string;
  readonly digest: string;
}

const DEFAULT_REGISTRY = 'docker.io';

const domain = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const component = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const reference = new RegExp(
  `^(?:((?:${domain}(?:\\.${domain})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?)/)?(${component}(?:/${component})*)(?::([\\w][\\w.-]{0,127}))?(?:@([A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$`,
);

/**
 * undefined for a text that is not an image name. Upstream: image.GetImageInfo with Kyverno's default configuration.
 */
export function imageOf(text: string): Image | undefined {
  const first = text.includes('/') ? text.slice(0, text.indexOf('/')) : undefined;
  const hasRegistry =
    first !== undefined && (/[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first);
  const match = reference.exec(hasRegistry ? text : `${DEFAULT_REGISTRY}/${text}`);
  if (match === null) return undefined;
  const [, registry = '', path = '', tag = '', digest = ''] = match;
  return {
    registry,
    path,
    name: path.slice(path.lastIndexOf('/') + 1),
    tag: tag === '' && digest === '' ? 'latest' : tag,
    digest,
  };
}

/** Upstream: ImageInfo.String. */
export function imageText({ registry, path, tag, digest }: Image): string {
  const image = registry === '' ? path : `${registry}/${path}`;
  return digest === '' ? `${image}:${tag}` : `${image}@${digest}`;
}

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'];

const specOfKind: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  Deployment: ['spec', 'template', 'spec'],
  ReplicaSet: ['spec', 'template', 'spec'],
  ReplicationController: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  Job: ['spec', 'template', 'spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};

/**
 * The `images` variable of an object: containers by list and name. Throws a KyvernoError for an invalid image name.
 * Upstream: api.ExtractImagesFromResource.
 */
export function imagesOf(object: JsonObject): JsonObject {
  const steps = specOfKind[typeof object.kind === 'string' ? object.kind : ''];
  if (steps === undefined) return {};
  const spec = steps.reduce<JsonValue | undefined>((it, step) => (isMap(it) ? it[step] : undefined), object);
  if (!isMap(spec)) return {};
  const found = containerLists.map((list): [string, JsonObject] => [
    list,
    imagesOfContainers(spec[list], `/${[...steps, list].join('/')}`),
  ]);
  return Object.fromEntries(found.filter(([, images]) => Object.keys(images).length > 0));
}

function imagesOfContainers(containers: JsonValue | undefined, at: string): JsonObject {
  if (!isList(containers)) return {};
  return Object.fromEntries(
    containers.flatMap((it, i): [string, JsonObject][] => {
      if (!isMap(it)) throw new KyvernoError('invalid image config');
      if (typeof it.name !== 'string') throw new KyvernoError('invalid key');
      if (typeof it.image !== 'string' || it.image.trim() === '') return [];
      const image = imageOf(it.image);
      if (image === undefined) throw new KyvernoError(`invalid image '${it.image}' (bad image: ${it.image})`);
      return [[it.name, { ...entryOf(image), jsonPointer: `${at}/${i}/image` }]];
    }),
  );
}

/** The fields of an image that policies can use; empty ones are left out. */
function entryOf(image: Image): JsonObject {
  const withTag = image.registry === '' ? `${image.path}:${image.tag}` : `${image.registry}/${image.path}:${image.tag}`;
  const optional = {
    registry: image.registry,
    tag: image.tag,
    digest: image.digest,
    reference: imageText(image),
    referenceWithTag: withTag,
  };
  return {
    name: image.name,
    path: image.path,
    ...Object.fromEntries(Object.entries(optional).filter(([, it]) => it !== '')),
  };
}
