import { asList, asText, type JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import type { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import { defineRule, type RuleContext, type RuleTarget } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';

interface Facts {
  readonly node: string;
  readonly claim: string;
  readonly className: string;
  readonly nodeNameAt: FieldPath;
}

const HOSTNAME = 'kubernetes.io/hostname';
const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
const IS_DEFAULT = 'storageclass.kubernetes.io/is-default-class';

export default defineRule<Facts>({
  meta: {
    code: 'placement/node-name-with-late-binding',
    category: 'placement',
    severity: 'warning',
    cost: 'workspace',
    summary: 'A Pod with nodeName uses a claim whose class waits for the scheduler (WaitForFirstConsumer).',
    why: 'With nodeName the scheduler never sees the Pod, and nobody else chooses a node for the claim: it stays Pending and the Pod does not start.',
    remedy: 'Choose the node with a nodeSelector on kubernetes.io/hostname instead of nodeName.',
    details:
      'Silent where the claim is bound already, or another Pod of the workspace that goes through the scheduler uses it, or a PersistentVolume is kept for it.',
    source: {
      project: 'kubernetes',
      symbol: 'persistentvolume.(*PersistentVolumeController).syncUnboundClaim',
      fidelity: 'inspired',
    },
    url: 'https://kubernetes.io/docs/concepts/storage/storage-classes/#volume-binding-mode',
  },
  on: 'podSpec',

  *check(target, context) {
    const place = podSpecOf(target);
    const node = asText(place?.spec.nodeName);
    if (place === undefined || node === undefined) return;
    for (const { name, spec, at, isOwn } of claimsOf(target, context)) {
      const className = lateClassOf(spec, context);
      if (className === undefined || isServed(spec)) continue;
      if (!isOwn && isBoundByOthers(name, target.object, context)) continue;
      yield {
        at,
        part: 'value',
        facts: { node, claim: name, className, nodeNameAt: place.at.child('nodeName') },
        related: [
          { object: target.object, at: place.at.child('nodeName'), message: t('keeps the scheduler from the Pod') },
        ],
      };
    }
  },

  message: ({ facts: { node, claim, className } }) =>
    t`claim ${quoted(claim)} of class ${quoted(className)} waits until the scheduler places its Pod (WaitForFirstConsumer), and with nodeName ${quoted(node)} it never does: the claim stays Pending`,

  fixes({ facts: { node, nodeNameAt } }, target, _context, edit) {
    const selector = podSpecOf(target)?.spec.nodeSelector;
    const at = nodeNameAt.parent;
    if (selector !== undefined || at === undefined) return [];
    const edits = [
      edit.remove(target.object, nodeNameAt),
      edit.write(target.object, at.child('nodeSelector'), { [HOSTNAME]: node }),
    ];
    return [{ title: t('Choose the node by its hostname label instead'), safety: 'unsafe', edits }];
  },
});

interface UsedClaim {
  readonly name: string;
  readonly spec: JsonValue | undefined;
  readonly at: FieldPath;
  /** Whether it is created for this Pod alone. */
  readonly isOwn: boolean;
}

function claimsOf(target: RuleTarget, { snapshot }: RuleContext): readonly UsedClaim[] {
  const place = podSpecOf(target);
  const { object, value } = target;
  const templates = object.kind === 'StatefulSet' ? asList(fieldAt(value, 'spec', 'volumeClaimTemplates')) : [];
  const made = templates.flatMap((it): readonly UsedClaim[] => {
    const name = asText(fieldAt(it, 'metadata', 'name'));
    return name === undefined || place === undefined
      ? []
      : [{ name, spec: it, at: place.at.child('nodeName'), isOwn: true }];
  });
  const used = asList(place?.spec.volumes).flatMap((it, i): readonly UsedClaim[] => {
    const at = place?.at.child('volumes').index(i);
    const name = asText(fieldAt(it, 'persistentVolumeClaim', 'claimName'));
    const template = fieldAt(it, 'ephemeral', 'volumeClaimTemplate');
    if (at !== undefined && template !== undefined)
      return [{ name: asText(fieldAt(it, 'name')) ?? '', spec: template, at: at.child('name'), isOwn: true }];
    const [found] = name === undefined ? [] : snapshot.find('', 'PersistentVolumeClaim', object.namespace, name);
    if (at === undefined || name === undefined || found === undefined) return [];
    return [{ name, spec: found.manifest.value, at: at.child('persistentVolumeClaim', 'claimName'), isOwn: false }];
  });
  return [...made, ...used];
}

/** The claim's class, if the workspace defines it and it waits for the first consumer. */
function lateClassOf(claim: JsonValue | undefined, { snapshot }: RuleContext): string | undefined {
  const classes = snapshot.objectsOf('storage.k8s.io', 'StorageClass');
  const named = fieldAt(claim, 'spec', 'storageClassName');
  const found =
    named === undefined || named === null
      ? classes.filter(it => fieldAt(it.manifest.value, 'metadata', 'annotations', IS_DEFAULT) === 'true')
      : classes.filter(it => it.name === named);
  const isLate = found.length > 0 && found.every(it => it.manifest.value.volumeBindingMode === 'WaitForFirstConsumer');
  return isLate ? found[0]?.name : undefined;
}

/** Whether a volume or a node is chosen already, or no class provisions a volume. */
function isServed(claim: JsonValue | undefined): boolean {
  return (
    asText(fieldAt(claim, 'spec', 'volumeName')) !== undefined ||
    fieldAt(claim, 'status', 'phase') === 'Bound' ||
    fieldAt(claim, 'metadata', 'annotations', SELECTED_NODE) !== undefined
  );
}

function isBoundByOthers(name: string, object: WorkspaceObject, { snapshot }: RuleContext): boolean {
  return isKeptFor(name, snapshot) || isUsedByScheduled(name, object, snapshot);
}

function isKeptFor(claim: string, snapshot: Snapshot): boolean {
  return snapshot
    .objectsOf('', 'PersistentVolume')
    .some(it => fieldAt(it.manifest.value, 'spec', 'claimRef', 'name') === claim);
}

/** Whether a Pod that the scheduler places uses the claim, which binds it for all others. */
function isUsedByScheduled(name: string, object: WorkspaceObject, { references }: Snapshot): boolean {
  const namespace = object.namespace ?? 'default';
  const users = references.to({ group: '', kind: 'PersistentVolumeClaim', namespace, name }).map(it => it.object);
  return users.some(user => {
    const place = podSpecOf({ object: user, value: user.manifest.value, kind: undefined });
    return place !== undefined && asText(place.spec.nodeName) === undefined;
  });
}
