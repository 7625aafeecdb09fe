import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { dns1123LabelErrors, dns1123SubdomainErrors } from '../../kube/names';
import { FieldPath } from '../../manifest/fieldPath';
import { layered } from '../framework/layers';
import { defineRule, type Finding } from '../framework/rule';
import { claimSources, type DataSource, isSameSource } from '../reading/claimSource';

interface Facts {
  readonly path: string;
  readonly plain: string;
  readonly text: string;
}

const SPEC = FieldPath.of('spec');

export default defineRule<Facts>({
  meta: {
    code: 'apiserver/data-source',
    category: 'apiserver',
    severity: 'error',
    cost: 'typing',
    summary: 'The data source of a claim is incomplete, or its two references contradict each other.',
    why: 'The API server refuses the claim.',
    remedy: 'Name kind and name of the source, once: `dataSourceRef` alone is enough.',
    details:
      'Before it validates, the server copies the reference that is there to the one that is not. A mistake in one is then reported on both paths.',
    source: { project: 'kubernetes', symbol: 'core validation.ValidatePersistentVolumeClaimSpec', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/storage/persistent-volumes/#volume-populators-and-data-sources',
  },
  on: ['PersistentVolumeClaim'],

  *check(target, { kube }) {
    const sources = claimSources(target, kube);
    if (sources === undefined) return;
    const { dataSource, dataSourceRef } = sources.stored;
    if (dataSource !== undefined) yield* problemsOf(dataSource, SPEC.child('dataSource'));
    if (dataSourceRef !== undefined) yield* problemsOf(dataSourceRef, SPEC.child('dataSourceRef'));
    if (dataSource === undefined || dataSourceRef === undefined) return;
    if (dataSourceRef.namespace !== '') {
      yield findingFor(
        SPEC,
        'FieldValueInvalid',
        '"dataSource" cannot stand beside a dataSourceRef of another namespace: remove it',
        'Invalid value: may not be specified when dataSourceRef.namespace is specified',
      );
    } else if (!isSameSource(dataSource, dataSourceRef)) {
      yield findingFor(
        SPEC,
        'FieldValueInvalid',
        t('"dataSource" and "dataSourceRef" name different things: keep one'),
        'Invalid value: must match dataSourceRef',
      );
    }
  },

  message: ({ facts }) => layered(facts.plain, `${facts.path}: ${facts.text}`),
});

function* problemsOf({ apiGroup, kind, name, namespace }: DataSource, at: FieldPath): Iterable<Finding<Facts>> {
  const group = apiGroup ?? '';
  if (name === '')
    yield findingFor(at.child('name'), 'FieldValueRequired', t('the source has no "name": add it'), 'Required value');
  if (kind === '')
    yield findingFor(at.child('kind'), 'FieldValueRequired', t('the source has no "kind": add it'), 'Required value');
  if (group === '' && kind !== 'PersistentVolumeClaim') {
    const text = `Invalid value: ${quoted(kind)}: must be 'PersistentVolumeClaim' when referencing the default apiGroup`;
    yield findingFor(at, 'FieldValueInvalid', t`a source of kind ${quoted(kind)} needs its "apiGroup": add it`, text);
  }
  for (const error of group === '' ? [] : dns1123SubdomainErrors(group)) {
    const plain = t`${quoted(group)} is not a valid API group: write it as in snapshot.storage.k8s.io`;
    yield findingFor(at.child('apiGroup'), 'FieldValueInvalid', plain, `Invalid value: ${quoted(group)}: ${error}`);
  }
  for (const error of namespace === '' ? [] : dns1123LabelErrors(namespace)) {
    const plain = t`${quoted(namespace)} is not a valid namespace: use lower-case letters, digits and "-"`;
    yield findingFor(
      at.child('namespace'),
      'FieldValueInvalid',
      plain,
      `Invalid value: ${quoted(namespace)}: ${error}`,
    );
  }
}

function findingFor(at: FieldPath, errorType: string, plain: string, text: string): Finding<Facts> {
  return { at, part: 'key', errorType, facts: { path: at.toString(), plain, text } };
}
