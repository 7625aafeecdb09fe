import { asList, asText } from '../../base/json';
import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import type { VolumeClaimModel } from '../../cluster/storage/volumes';
import { compareQuantities, formatQuantity, type Quantity } from '../../kube/quantity';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import { lacksSpace } from '../../scheduler/queries';
import type { WorkspaceObject } from '../../workspace/object';
import { change, fixOf } from '../edits/fix';
import { layered } from '../framework/layers';
import type { PlacementFacts } from '../framework/placementFacts';
import { defineRule, type RuleTarget } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';
import { counted } from './phrases';

interface Facts {
  readonly at: FieldPath;
  readonly wanted: string;
  readonly className: string;
  /** The largest size that is available. */
  readonly most: string;
  readonly capacities: number;
}

const REQUEST = ['spec', 'resources', 'requests', 'storage'] as const;

export default defineRule<Facts>({
  meta: {
    code: 'placement/claim-too-large',
    category: 'placement',
    severity: 'warning',
    cost: 'placement',
    summary: 'A claim asks for more storage than any CSIStorageCapacity of its class has.',
    why: 'The driver tracks its space (`storageCapacity: true`) and the class waits for a Pod, so that the scheduler looks for a node with enough of it. There is none: the Pod stays Pending with "node(s) did not have enough free storage".',
    remedy: 'Ask for less, or for another class.',
    details:
      'What counts is `maximumVolumeSize` where a capacity has it, else `capacity`, of those whose topology a node has. Silent where a PersistentVolume that is there fits, and unless the nodes and capacities of the cluster are known.',
    source: { project: 'kubernetes', symbol: 'volumebinding.(*volumeBinder).hasEnoughCapacity', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/storage/storage-capacity/',
  },
  on: 'any',

  *check(target, { placement }) {
    const { kind } = target.object;
    if (kind !== 'PersistentVolumeClaim' && podSpecOf(target) === undefined) return;
    const facts = placement?.(target.object);
    if (facts === undefined) return;
    const { cluster } = facts;
    for (const { claim, at } of claimsOf(target, facts)) {
      if (claim.volumeName !== '' || claim.request === undefined) continue;
      const sizes = capacitiesOf(claim, facts);
      const [largest] = sizes.toSorted((a, b) => compareQuantities(b, a));
      if (largest === undefined || compareQuantities(claim.request, largest) <= 0) continue;
      if (cluster.storage.classes.get(claim.className)?.volumeBindingMode !== 'WaitForFirstConsumer') continue;
      if (!lacksSpace(claim, cluster)) continue;
      yield {
        at,
        part: 'value',
        facts: {
          at,
          wanted: formatQuantity(claim.request),
          className: claim.className,
          most: formatQuantity(largest),
          capacities: sizes.length,
        },
      };
    }
  },

  message: ({ facts: { wanted, className, most, capacities } }) =>
    layered(
      t`this asks for ${wanted}, and the most that ${capacities === 1 ? t('the CSIStorageCapacity') : t`one of the ${counted(capacities, 'CSIStorageCapacity')}`} of class ${quoted(className)} has is ${most}`,
      'node(s) did not have enough free storage',
    ),

  fixes: ({ facts: { at, most } }, { object }, _context, edit) => [fixOf(change(at, most), object, edit)],
});

/** The sizes that nodes can still provide for the claim's class, one for each capacity. */
function capacitiesOf(
  { className }: VolumeClaimModel,
  { cluster: { nodes, storage } }: PlacementFacts,
): readonly Quantity[] {
  return storage.capacities
    .filter(it => it.className === className && nodes.some(node => it.topology?.matches(node.labels)))
    .flatMap(it => it.maximumVolumeSize ?? it.capacity ?? []);
}

interface WrittenClaim {
  readonly claim: VolumeClaimModel;
  /** Where the claim's size is written. */
  readonly at: FieldPath;
}

function claimsOf(target: RuleTarget, facts: PlacementFacts): readonly WrittenClaim[] {
  const { object } = target;
  const { claims } = facts.cluster.storage;
  const found = (id: string, at: FieldPath): readonly WrittenClaim[] => {
    const claim = claims.get(id);
    return claim && object.manifest.has(at) ? [{ claim, at }] : [];
  };
  const namespace = object.namespace ?? 'default';
  if (object.kind === 'PersistentVolumeClaim') return found(`${namespace}/${object.name}`, FieldPath.of(...REQUEST));
  const [pod] = facts.podsOf(object);
  const place = podSpecOf(target);
  if (pod === undefined || place === undefined) return [];
  const volumes = place.at.child('volumes');
  const ephemeral = asList(place.spec.volumes).flatMap((it, i) => {
    const at = volumes.index(i).child('ephemeral', 'volumeClaimTemplate', ...REQUEST);
    return found(`${namespace}/${pod.name}-${asText(fieldAt(it, 'name'))}`, at);
  });
  return [
    ...ephemeral,
    ...templatesOf(object).flatMap((name, i) =>
      found(`${namespace}/${name}-${pod.name}`, FieldPath.of('spec', 'volumeClaimTemplates', i, ...REQUEST)),
    ),
  ];
}

/** The names of a StatefulSet's claim templates. */
function templatesOf({ kind, manifest }: WorkspaceObject): readonly string[] {
  if (kind !== 'StatefulSet') return [];
  const templates = asList(fieldAt(manifest.value, 'spec', 'volumeClaimTemplates'));
  return templates.map(it => asText(fieldAt(it, 'metadata', 'name')) ?? '');
}
