import { isObject, type JsonObject, type JsonValue } from '../base/json';
import type { ManifestFile, ManifestObject } from '../manifest/manifest';
import { foldersAbove, resolveIn } from './paths';

const GROUP = 'kustomize.toolkit.fluxcd.io';

/** The objects of a file by which Flux deploys a folder. */
export function fluxKustomizationsIn({ text, documents }: ManifestFile): readonly ManifestObject[] {
  if (!text.includes(GROUP)) return [];
  return documents.flatMap(({ objects }) =>
    objects.filter(({ value: { apiVersion, kind, spec } }) => {
      const isOfFlux = typeof apiVersion === 'string' && apiVersion.startsWith(`${GROUP}/`) && kind === 'Kustomization';
      return isOfFlux && isObject(spec) && typeof spec.path === 'string';
    }),
  );
}

/**
 * The folders that the path of a Kustomization of Flux may mean, the outermost first. It begins at the root of a repository,
 * which is the folder of the file or one above it.
 */
export function foldersMeant({ uri, value: { spec } }: ManifestObject): readonly string[] {
  const path = isObject(spec) && typeof spec.path === 'string' ? plainPath(spec.path) : '';
  if (path === '') return [];
  return foldersAbove(uri)
    .map(it => resolveIn(it, path))
    .toReversed();
}

/** The folders of the components that it adds, whose paths begin at the folder that it deploys. */
export function fluxComponents({ value: { spec } }: ManifestObject, folder: string): readonly string[] {
  const components = isObject(spec) && Array.isArray(spec.components) ? (spec.components as readonly JsonValue[]) : [];
  return components.flatMap(it => (typeof it === 'string' ? resolveIn(folder, it) : []));
}

/** The kustomization that Flux makes of the one in the folder, without what that one says itself. */
export function asKustomization({ spec }: JsonObject): JsonObject {
  if (!isObject(spec)) return {};
  const { targetNamespace = null, namePrefix = null, nameSuffix = null, patches = [], images = [] } = spec;
  return { namespace: targetNamespace, namePrefix, nameSuffix, patches, images };
}

const plainPath = (path: string): string =>
  path
    .split('/')
    .filter(it => it !== '' && it !== '.')
    .join('/');
