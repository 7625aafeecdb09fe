import { asObject, asText } from '../../base/json';
import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';
import { NAMED } from '../../workspace/references/kinds';
import { defineRule, type Finding, type RuleContext } from '../framework/rule';
import { isAbsenceCertain } from '../reading/absence';
import { oneNamed, volumeOf } from '../reading/snapshots';

interface Facts {
  readonly said: string;
}

const SOURCE = FieldPath.of('spec', 'source');
const CLASS = FieldPath.of('spec', 'volumeSnapshotClassName');
const CONTENT = SOURCE.child('volumeSnapshotContentName');

export default defineRule<Facts>({
  meta: {
    code: 'references/snapshot-unusable',
    category: 'reference',
    severity: 'error',
    cost: 'workspace',
    summary: 'A VolumeSnapshot never becomes ready: its class, its driver or its content does not fit.',
    why: 'The snapshot controller takes no snapshot without a class of the driver that made the volume, and does not bind a content that belongs to another snapshot.',
    remedy:
      'Name a VolumeSnapshotClass of the driver, or make one the default of its driver; name the snapshot and its namespace in `volumeSnapshotRef` of the content.',
    details:
      'That no default class exists is said only where the sources are complete, or the cluster has listed the classes.',
    source: {
      project: 'kubernetes-csi/external-snapshotter',
      symbol: 'csiSnapshotCommonController.SetDefaultSnapshotClass, checkAndBindSnapshotContent',
      fidelity: 'inspired',
    },
    url: 'https://kubernetes.io/docs/concepts/storage/volume-snapshots/',
  },
  on: ['VolumeSnapshot'],

  *check({ object }, context) {
    const source = asObject(fieldAt(object.manifest.value, 'spec', 'source'));
    if (object.group !== NAMED.snapshot.group || source === undefined) return;
    const contentName = asText(source.volumeSnapshotContentName);
    if (contentName !== undefined) {
      yield* ofContent(object, contentName, context);
      return;
    }
    const claim = oneNamed(context.snapshot, NAMED.claim, object.namespace, asText(source.persistentVolumeClaimName));
    const driver = claim && volumeOf(claim.manifest.value, context.snapshot).driver;
    const className = asText(fieldAt(object.manifest.value, 'spec', 'volumeSnapshotClassName'));
    if (className === undefined) yield* ofDefaultClass(driver, context);
    else if (driver !== undefined) yield* ofClass(className, driver, context);
  },

  message: ({ facts }) => facts.said,
});

/** Upstream: an empty namespace of the reference is refused, an empty uid is filled when it is bound. */
function* ofContent(object: WorkspaceObject, name: string, { snapshot }: RuleContext): Iterable<Finding<Facts>> {
  const content = oneNamed(snapshot, NAMED.snapshotContent, undefined, name);
  const to = asObject(fieldAt(content?.manifest.value, 'spec', 'volumeSnapshotRef'));
  const [namespace, bound] = [asText(to?.namespace), asText(to?.name)];
  if (content === undefined || namespace === undefined || bound === undefined) return;
  if (bound === object.name && namespace === (object.namespace ?? 'default')) return;
  yield {
    at: CONTENT,
    part: 'value',
    facts: {
      said: t`VolumeSnapshotContent ${quoted(name)} belongs to VolumeSnapshot ${quoted(bound)} of namespace ${quoted(namespace)}, so this one is not bound to it`,
    },
    related: [{ object: content, at: FieldPath.of('spec', 'volumeSnapshotRef'), message: t('the snapshot it is for') }],
  };
}

function* ofClass(name: string, driver: string, { snapshot }: RuleContext): Iterable<Finding<Facts>> {
  const found = oneNamed(snapshot, NAMED.snapshotClass, undefined, name);
  const own = asText(found?.manifest.value.driver);
  if (own === undefined || own === driver) return;
  const said = t`VolumeSnapshotClass ${quoted(name)} is of driver ${quoted(own)}, and the volume of the claim of ${quoted(driver)}`;
  yield { at: CLASS, part: 'value', facts: { said } };
}

const IS_DEFAULT = 'snapshot.storage.kubernetes.io/is-default-class';

/** Upstream: of the default classes, those of the volume's driver count, and there must be exactly one. */
function* ofDefaultClass(driver: string | undefined, context: RuleContext): Iterable<Finding<Facts>> {
  const { group, kind } = NAMED.snapshotClass;
  const written = context.snapshot.objectsOf(group, kind).map(it => it.manifest.value);
  const others = (context.clusterObjects?.(group, kind) ?? []).map(it => it as (typeof written)[number]);
  const defaults = [...written, ...others].filter(
    it =>
      asObject(fieldAt(it, 'metadata', 'annotations'))?.[IS_DEFAULT] === 'true' &&
      (driver === undefined || it.driver === driver),
  );
  if (defaults.length > 0 || !isAbsenceCertain(context, { group, kind, namespace: undefined })) return;
  const ofDriver = driver === undefined ? '' : t` of driver ${quoted(driver)}`;
  const said = t`the snapshot names no VolumeSnapshotClass, and none${ofDriver} is the default (annotation ${IS_DEFAULT}: "true")`;
  yield { at: SOURCE, part: 'key', facts: { said } };
}
