import { asList, asObject, asText, type JsonObject } from '../../base/json';
import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { termMatches } from '../../cluster/pods/affinityTerms';
import type { PodModel } from '../../cluster/pods/podModel';
import { type Scenario, scenarioFromObjects } from '../../cluster/scenario';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import { layered } from '../framework/layers';
import type { PlacementFacts } from '../framework/placementFacts';
import { defineRule } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';
import { replicaRange } from '../reading/replicas';
import { upstreamWords } from './phrases';

interface Facts {
  readonly claim: string;
  readonly pods: number;
  /** Why the Pods cannot share a node; absent for a claim that only one Pod at a time may use. */
  readonly apart?: string;
  readonly upstream: string;
}

const HOSTNAME = 'kubernetes.io/hostname';

export default defineRule<Facts>({
  meta: {
    code: 'placement/claim-shared-across-nodes',
    category: 'placement',
    severity: 'warning',
    cost: 'workspace',
    summary: 'Replicas share a claim that they cannot use at the same time.',
    why: 'A ReadWriteOncePod claim is for one Pod: the scheduler keeps all others Pending. A ReadWriteOnce claim is for one node: replicas that must not share a node cannot share it, and where its volume has to be attached, those on other nodes wait in ContainerCreating with a Multi-Attach error.',
    remedy:
      'Use a StatefulSet with volumeClaimTemplates, so that each replica has a claim of its own, or a claim that is ReadWriteMany.',
    details:
      'ReadWriteOnce is reported as information: drivers that attach nothing do not enforce it. Replicas that must sit on different nodes are those of a DaemonSet, those with a host port, and those that required anti-affinity or a DoNotSchedule spread over nodes keeps apart.',
    source: { project: 'kubernetes', symbol: 'volumerestrictions.(*VolumeRestrictions).Filter', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/storage/persistent-volumes/#access-modes',
  },
  on: 'podSpec',

  *check(target, { placement, snapshot }) {
    const place = podSpecOf(target);
    const { object } = target;
    if (place === undefined || object.kind === 'Pod') return;
    const at = place.at.child('volumes');
    for (const [index, it] of asList(place.spec.volumes).entries()) {
      const claim = asText(fieldAt(it, 'persistentVolumeClaim', 'claimName'));
      const mode = claim === undefined ? undefined : soleModeOf(claim, object, snapshot);
      if (claim === undefined || mode === undefined) continue;
      const facts = placement?.(object);
      const pods = facts?.podsOf(object).length ?? replicaRange(object, snapshot)?.least ?? 0;
      const apart = mode === 'pod' || pods < 2 ? undefined : whyApart(object, pods, facts);
      if (pods < 2 || (mode === 'node' && apart === undefined)) continue;
      const upstream = facts === undefined || mode === 'node' ? '' : upstreamWords(object, facts);
      yield {
        at: at.index(index).child('persistentVolumeClaim', 'claimName'),
        part: 'value',
        facts: { claim, pods, upstream, ...(apart !== undefined && { apart }) },
        ...(mode === 'node' && { severity: 'info' }),
      };
    }
  },

  message: ({ facts: { claim, pods, apart, upstream } }) =>
    apart === undefined
      ? layered(
          t`${pods} Pods share the claim ${quoted(claim)}, which one Pod at a time may use (ReadWriteOncePod): the others stay Pending`,
          upstream,
        )
      : t`${pods} Pods share the claim ${quoted(claim)}, which one node at a time may mount (ReadWriteOnce), and must sit on different nodes: ${apart}`,
});

/**
 * Which Pods may use a claim of the workspace at the same time: one Pod, or those of one node; undefined for more, or
 * if unknown.
 */
function soleModeOf(name: string, object: WorkspaceObject, snapshot: Snapshot): 'pod' | 'node' | undefined {
  const found = snapshot.find('', 'PersistentVolumeClaim', object.namespace, name);
  const modes = found.flatMap(it => asList(fieldAt(it.manifest.value, 'spec', 'accessModes')));
  if (modes.length === 0) return undefined;
  if (modes.every(it => it === 'ReadWriteOncePod')) return 'pod';
  if (!modes.every(it => it === 'ReadWriteOnce')) return undefined;
  const isWider = snapshot.objectsOf('', 'PersistentVolume').some(({ name: volume, manifest: { value } }) => {
    const isBound =
      fieldAt(value, 'spec', 'claimRef', 'name') === name ||
      found.some(it => fieldAt(it.manifest.value, 'spec', 'volumeName') === volume);
    return (
      isBound &&
      asList(fieldAt(value, 'spec', 'accessModes')).some(it => it === 'ReadWriteMany' || it === 'ReadOnlyMany')
    );
  });
  return isWider ? undefined : 'node';
}

function whyApart(object: WorkspaceObject, pods: number, facts: PlacementFacts | undefined): string | undefined {
  if (object.kind === 'DaemonSet') return 'a DaemonSet runs one on each';
  const alone = facts === undefined ? aloneOf(object) : undefined;
  const pod = facts === undefined ? alone?.pending[0] : facts.podsOf(object)[0];
  if (pod === undefined) return undefined;
  const namespaces = facts?.cluster.namespaces ?? alone?.cluster.namespaces ?? new Map();
  const [port] = pod.hostPorts;
  if (port !== undefined) return `each needs port ${port.port} of its node`;
  const term = pod.terms.requiredAnti.find(
    it => termMatches(it, pod, namespaces) && isOnEveryNode(it.topologyKey, facts),
  );
  if (term !== undefined) return `required anti-affinity lets one into each ${quoted(term.topologyKey)}`;
  return facts !== undefined && isSpread(pod, pods, facts)
    ? 'DoNotSchedule spread over nodes does not let all of them onto one'
    : undefined;
}

/** Whether every node has the label: a node without it may take several of the Pods. */
function isOnEveryNode(key: string, facts: PlacementFacts | undefined): boolean {
  return key === HOSTNAME || (facts?.cluster.nodes.every(it => it.labels[key] !== undefined) ?? false);
}

function isSpread(pod: PodModel, pods: number, facts: PlacementFacts): boolean {
  const { constraints = [], domains = [] } = facts.spreadOf(pod) ?? {};
  return constraints.some(
    (it, i) =>
      it.topologyKey === HOSTNAME &&
      it.selector.matches(pod.labels) &&
      pods > it.maxSkew &&
      (domains[i]?.counts.size ?? 0) > 1,
  );
}

/** The object in a cluster of its own, with one of its Pods. */
function aloneOf({ manifest: { value } }: WorkspaceObject): Scenario {
  const spec = asObject(value.spec);
  const one: JsonObject = spec === undefined ? value : { ...value, spec: { ...spec, replicas: 1 } };
  return scenarioFromObjects([one], { expandWorkloads: true });
}
