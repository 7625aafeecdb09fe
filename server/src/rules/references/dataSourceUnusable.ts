import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { compareQuantities, formatQuantity } from '../../kube/quantity';
import { FieldPath } from '../../manifest/fieldPath';
import { NAMED } from '../../workspace/references/kinds';
import { change, type FieldFix, fixOf } from '../edits/fix';
import type { Severity } from '../framework/problem';
import { defineRule, type RuleContext, type RuleTarget } from '../framework/rule';
import { claimSources, type DataSource } from '../reading/claimSource';
import { ALLOW_MODE_CHANGE, oneNamed, type SnapshotFacts, snapshotFacts, volumeOf } from '../reading/snapshots';

interface Facts {
  readonly said: string;
  readonly fix?: FieldFix;
}

const SIZE = FieldPath.of('spec', 'resources', 'requests', 'storage');
const MODE = FieldPath.of('spec', 'volumeMode');
const CLASS = FieldPath.of('spec', 'storageClassName');

export default defineRule<Facts>({
  meta: {
    code: 'references/data-source-unusable',
    category: 'reference',
    severity: 'error',
    cost: 'workspace',
    summary: 'A claim cannot be filled from its data source: size, driver or volume mode do not fit.',
    why: 'The API server does not compare them. The provisioner does: it makes no volume, and the claim stays Pending with ProvisioningFailed.',
    remedy: 'Ask for at least the size of the source, with a class of the same driver and the same volumeMode.',
    details: `A restored snapshot may have another volumeMode if its VolumeSnapshotContent has the annotation \`${ALLOW_MODE_CHANGE}: "true"\`. Compared are objects of the workspace. The size of a snapshot without \`status.restoreSize\` is that of the claim it is taken of, and then a warning, as the driver reports it.`,
    source: {
      project: 'kubernetes-csi/external-provisioner',
      symbol: 'csiProvisioner.getPVCSource, getSnapshotSource',
      fidelity: 'inspired',
    },
    url: 'https://kubernetes.io/docs/concepts/storage/volume-pvc-datasource/',
  },
  on: ['PersistentVolumeClaim'],

  *check(target, context) {
    const found = sourceOf(target, context);
    if (found === undefined) return;
    if (found === 'itself') {
      const said = t('the claim is its own data source, so there is nothing to clone');
      yield { at: sourceAt(target), part: 'value', facts: { said } };
      return;
    }
    const own = volumeOf(target.value, context.snapshot);
    const { what, size, mode, driver, mayChangeMode, isSnapshot, isSizeCertain } = found;
    if (size !== undefined && own.size !== undefined && compareQuantities(own.size, size) < 0) {
      const least = formatQuantity(size);
      const said = t`the claim asks for ${formatQuantity(own.size)}, and ${what} has ${least}: the provisioner refuses less`;
      const severity: Severity = isSizeCertain ? 'error' : 'warning';
      yield { at: SIZE, part: 'value', facts: { said, fix: change(SIZE, least) }, severity };
    }
    if (driver !== undefined && own.driver !== undefined && driver !== own.driver) {
      const said = t`the class of the claim is of driver ${quoted(own.driver)}, and ${what} of ${quoted(driver)}, which no other driver can read`;
      yield { at: CLASS, part: 'value', facts: { said } };
    }
    if (mode !== undefined && own.mode !== undefined && mode !== own.mode && mayChangeMode !== true) {
      const unless = isSnapshot ? t`, and its content has no annotation ${ALLOW_MODE_CHANGE}: "true"` : '';
      const said = t`the claim has volumeMode ${own.mode}, and ${what} ${mode}${unless}`;
      yield {
        at: target.object.manifest.has(MODE) ? MODE : sourceAt(target),
        part: 'value',
        facts: { said, fix: change(MODE, mode) },
        // The content of a dynamic snapshot is made in the cluster, where it may get the annotation.
        severity: isSnapshot && mayChangeMode === undefined ? 'warning' : 'error',
      };
    }
  },

  message: ({ facts }) => facts.said,

  fixes: ({ facts: { fix } }, { object }, _context, edit) => (fix === undefined ? [] : [fixOf(fix, object, edit)]),
});

interface Source extends SnapshotFacts {
  readonly what: string;
  readonly isSnapshot: boolean;
  readonly isSizeCertain: boolean;
}

function sourceAt({ object }: RuleTarget): FieldPath {
  const ref = FieldPath.of('spec', 'dataSourceRef');
  return object.manifest.has(ref) ? ref.child('name') : FieldPath.of('spec', 'dataSource', 'name');
}

function sourceOf(target: RuleTarget, { kube, snapshot }: RuleContext): Source | 'itself' | undefined {
  const stored = claimSources(target, kube)?.stored;
  const source: DataSource | undefined = stored?.dataSourceRef ?? stored?.dataSource;
  if (source === undefined) return undefined;
  const own = target.object.namespace ?? 'default';
  const namespace = source.namespace === '' ? own : source.namespace;
  const what = `${source.kind} ${quoted(source.name)}`;
  if ((source.apiGroup ?? '') === '' && source.kind === 'PersistentVolumeClaim') {
    if (namespace === own && source.name === target.object.name) return 'itself';
    const claim = oneNamed(snapshot, NAMED.claim, namespace, source.name);
    if (claim === undefined) return undefined;
    const facts = volumeOf(claim.manifest.value, snapshot);
    return { ...facts, mayChangeMode: undefined, what, isSnapshot: false, isSizeCertain: true };
  }
  if (source.apiGroup !== NAMED.snapshot.group || source.kind !== NAMED.snapshot.kind) return undefined;
  const taken = oneNamed(snapshot, NAMED.snapshot, namespace, source.name);
  if (taken === undefined) return undefined;
  const isSizeCertain = taken.manifest.has(FieldPath.of('status', 'restoreSize'));
  return { ...snapshotFacts(taken, snapshot), what, isSnapshot: true, isSizeCertain };
}
