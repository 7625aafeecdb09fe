import { asList, asObject, asText, type JsonObject } from '../../base/json';
import { gatesInFlag } from '../../kube/gateFlag';
import { FieldPath, type SpanPart } from '../../manifest/fieldPath';
import type { ManifestObject } from '../../manifest/manifest';
import { parseManifests } from '../../manifest/parse';
import { spanWithin } from '../../manifest/spanWithin';
import { valueAt } from '../../manifest/valueAt';
import type { Span } from '../../text/span';

/** A feature gate that the configuration of a component sets, and where it is written. */
export interface WrittenGate {
  readonly name: string;
  readonly on: boolean;
  readonly at: FieldPath;
  readonly part: SpanPart;
  /** The name's place in the value of the field. */
  readonly within?: Span;
}

interface Configuration {
  readonly group: string;
  readonly gatesIn: (value: JsonObject) => readonly WrittenGate[];
}

const FLAG = 'feature-gates';

/** The configurations that set gates of Kubernetes, by their kinds; the `featureGates` of kubeadm are its own. */
const CONFIGURATIONS: ReadonlyMap<string, Configuration> = new Map([
  ['Cluster', { group: 'kind.x-k8s.io', gatesIn: value => [...mappedGates(value), ...gatesOfPatches(value)] }],
  ['KubeletConfiguration', { group: 'kubelet.config.k8s.io', gatesIn: mappedGates }],
  ['KubeProxyConfiguration', { group: 'kubeproxy.config.k8s.io', gatesIn: mappedGates }],
  [
    'ClusterConfiguration',
    {
      group: 'kubeadm.k8s.io',
      gatesIn: value =>
        ['apiServer', 'controllerManager', 'scheduler'].flatMap(it => flagGates(value, FieldPath.of(it, 'extraArgs'))),
    },
  ],
  ['InitConfiguration', { group: 'kubeadm.k8s.io', gatesIn: kubeletGates }],
  ['JoinConfiguration', { group: 'kubeadm.k8s.io', gatesIn: kubeletGates }],
]);

export const GATE_CONFIGURATIONS: readonly string[] = [...CONFIGURATIONS.keys()];

/** The gates that an object sets for components of Kubernetes; none for what is no configuration of one. */
export function componentGates(group: string, kind: string, value: JsonObject): readonly WrittenGate[] {
  const configuration = CONFIGURATIONS.get(kind);
  return configuration?.group === group ? configuration.gatesIn(value) : [];
}

/** The version of Kubernetes that a configuration names itself; undefined: none. */
export function versionOfConfiguration(value: JsonObject): string | undefined {
  const images = asList(value.nodes).flatMap(it => asText(asObject(it)?.image) ?? []);
  const tag = images.length === 0 ? asText(value.kubernetesVersion) : /:([\w.+-]+)(?:@|$)/.exec(images[0] ?? '')?.[1];
  return /^v?\d+\.\d+/.test(tag ?? '') ? tag : undefined;
}

/** The gates of the field `featureGates`. */
export function mappedGates(value: JsonObject): readonly WrittenGate[] {
  return Object.entries(asObject(value.featureGates) ?? {}).flatMap(([name, on]) =>
    typeof on === 'boolean' ? [{ name, on, at: FieldPath.of('featureGates', name), part: 'key' as const }] : [],
  );
}

function kubeletGates(value: JsonObject): readonly WrittenGate[] {
  return flagGates(value, FieldPath.of('nodeRegistration', 'kubeletExtraArgs'));
}

/** A map of flags up to v1beta3, a list of names and values since v1beta4. */
function flagGates(value: JsonObject, args: FieldPath): readonly WrittenGate[] {
  const written = valueAt(value, args);
  const fields = Array.isArray(written)
    ? written.flatMap((it, i) => (asObject(it)?.name === FLAG ? [args.index(i).child('value')] : []))
    : [args.child(FLAG)];
  return fields.flatMap(at =>
    gatesInFlag(asText(valueAt(value, at)) ?? '').map(it => ({ ...it, at, part: 'value' as const })),
  );
}

/** kind merges its patches of kubeadm's configurations by kind; a patch need not name a version. */
function gatesOfPatches(value: JsonObject): readonly WrittenGate[] {
  const lists = [FieldPath.root, ...asList(value.nodes).map((_, i) => FieldPath.of('nodes').index(i))];
  const patches = lists.map(it => it.child('kubeadmConfigPatches'));
  return patches.flatMap(list =>
    asList(valueAt(value, list)).flatMap((it, i) => gatesOfPatch(asText(it), list.index(i))),
  );
}

function gatesOfPatch(text: string | undefined, at: FieldPath): readonly WrittenGate[] {
  if (text === undefined || !text.includes('eature')) return [];
  const gatesIn = (it: ManifestObject): readonly WrittenGate[] =>
    CONFIGURATIONS.get(asText(it.value.kind) ?? '')?.gatesIn({ ...it.value, kubeadmConfigPatches: [] }) ?? [];
  return parseManifests('', text)
    .documents.flatMap(it => it.objects)
    .flatMap(patch => gatesIn(patch).map(it => ({ ...it, at, part: 'value', within: spanWithin(patch, it, text) })));
}
