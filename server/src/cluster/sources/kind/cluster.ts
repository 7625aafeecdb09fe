import type { UnknownObject } from '../../../base/json';
import { assigned } from '../../../base/manyItems';
import { versionText } from '../../../kube/version';
import { fieldsOf } from '../../decode/fields';
import { type ClusterContent, EMPTY_CONTENT, unreachable } from '../content';
import { isKindConfig, type KindConfig, readKindConfig, versionOfImage } from './config';
import { kubeadmVersion, patchedGates } from './kubeadm';
import { kindNodeObject } from './node';
import { kindSystemObjects } from './system';

export interface KindOptions {
  /** What nodes run whose image names no version, by its minor. */
  readonly defaultMinor: string;
  /** Parses the documents of a YAML text; unreadable ones are left out. */
  readonly readYaml: (text: string) => readonly UnknownObject[];
}

/** The cluster that kind would create from the documents of a file. */
export function kindCluster(documents: readonly UnknownObject[], options: KindOptions): ClusterContent {
  const [object, ...others] = documents.filter(isKindConfig);
  if (object === undefined) return unreachable('the file holds no Cluster of kind.x-k8s.io/v1alpha4');
  try {
    const notes = others.length === 0 ? [] : ['The file holds several Clusters of kind; the first counts.'];
    return clusterOf(readKindConfig(object), options, notes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return unreachable(`kind would refuse the configuration: ${error.message}`);
  }
}

function clusterOf(
  config: KindConfig,
  { defaultMinor, readYaml }: KindOptions,
  notes: readonly string[],
): ClusterContent {
  const reported = new Set(notes);
  const first = config.nodes.find(it => it.role === 'control-plane');
  const company = config.nodes.length === 1 ? 'alone' : 'others';
  const kubelet = kubeletConfiguration(first?.patches.flatMap(readYaml) ?? []);
  const nodes = config.nodes.map(node => {
    const onNote = (message: string): void => void reported.add(`${node.name}: ${message}.`);
    if (node.hasJsonPatches) onNote('kubeadmConfigPatchesJSON6902 are not read');
    return kindNodeObject({
      node,
      bootstrap: node === first ? 'init' : 'join',
      company,
      version: kubeadmVersion(versionOfImage(node.image)?.minor ?? defaultMinor),
      image: versionOfImage(node.image),
      patches: node.patches.flatMap(readYaml),
      kubelet,
      onNote,
    });
  });
  const version = versionOfImage(first?.image ?? '');
  return {
    ...EMPTY_CONTENT,
    objects: [...(nodes as readonly unknown[] as readonly UnknownObject[]), ...kindSystemObjects(config)],
    featureGates: { ...config.featureGates, ...patchedGates(first?.patches.flatMap(readYaml) ?? []) },
    ...(version !== undefined && { kubernetesVersion: versionText(version) }),
    notes: [...reported],
  };
}

/** kubeadm uses the kubelet configuration of the first control plane for all nodes. */
function kubeletConfiguration(patches: readonly UnknownObject[]): Readonly<Record<string, unknown>> {
  return assigned(patches.filter(it => it.kind === 'KubeletConfiguration').map(fieldsOf));
}
