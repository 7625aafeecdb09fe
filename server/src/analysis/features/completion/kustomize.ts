import type { KindInfo } from '../../../kube/kube';
import { KUSTOMIZATION } from '../../../rules/kustomize/types';
import { nameablePaths } from '../../../workspace/nameablePaths';
import type { Source } from './source';

/** A kustomization as a kind, so that its fields are completed like those of other kinds. */
export const KUSTOMIZATION_KIND: KindInfo = {
  group: 'kustomize.config.k8s.io',
  version: 'v1beta1',
  kind: 'Kustomization',
  resource: 'kustomizations',
  namespaced: false,
  served: 'no',
  origin: 'built-in',
  schema: KUSTOMIZATION,
};

/** Files and folders that the kustomization does not name yet. */
const paths: Source = ({ place }, { snapshot }) => {
  const { kustomizations } = snapshot.roles;
  const kustomization = kustomizations.kustomizations.get(place.object.manifest.uri);
  if (kustomization === undefined) return [];
  const named = new Set(kustomization.paths.map(it => it.path));
  return nameablePaths(kustomization, snapshot)
    .filter(it => !named.has(it))
    .map(value => ({ value }));
};

/** Fields of kustomizations with paths, in the format of the table of sources. */
export const KUSTOMIZE_SOURCES: Readonly<Record<string, Source>> = {
  'Kustomization.resources[]': paths,
  'Kustomization.bases[]': paths,
  'Kustomization.components[]': paths,
  'Kustomization.patchesStrategicMerge[]': paths,
  'Kustomization.configurations[]': paths,
  'Kustomization.crds[]': paths,
  'Kustomization.generators[]': paths,
  'Kustomization.transformers[]': paths,
  'Kustomization.validators[]': paths,
  'Patch.path': paths,
  'Replacement.path': paths,
  'HelmChart.valuesFile': paths,
};
