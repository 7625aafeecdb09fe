import { t } from '../../base/l10n';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { claimSources } from '../reading/claimSource';

const SOURCE = FieldPath.of('spec', 'dataSource');

export default defineRule<{ readonly what: string; readonly hasRef: boolean }>({
  meta: {
    code: 'dropped/data-source-kind',
    category: 'dropped',
    severity: 'error',
    cost: 'typing',
    summary: 'A claim names a data source of a kind that `dataSource` cannot hold.',
    why: '`dataSource` takes only a PersistentVolumeClaim of the core group or a VolumeSnapshot of snapshot.storage.k8s.io. Anything else is dropped without an error or a warning, and the volume is empty.',
    remedy: 'Write the reference as `dataSourceRef`, which takes any kind.',
    source: {
      project: 'kubernetes',
      symbol: 'persistentvolumeclaim.EnforceDataSourceBackwardsCompatibility',
      fidelity: 'same',
    },
    url: 'https://kubernetes.io/docs/concepts/storage/persistent-volumes/#volume-populators-and-data-sources',
  },
  on: ['PersistentVolumeClaim'],

  *check(target, { kube }) {
    const sources = claimSources(target, kube);
    const source = sources?.written.dataSource;
    if (sources === undefined || source === undefined || !sources.sourceDropped) return;
    const group = source.apiGroup ?? '';
    const what = group === '' ? source.kind : `${source.kind} (${group})`;
    const hasRef = sources.written.dataSourceRef !== undefined;
    yield { at: SOURCE, part: 'key', facts: { what, hasRef }, unnecessary: true };
  },

  message: ({ facts }) =>
    t`the API server ignores dataSource, because it cannot hold ${facts.what === '' ? t('a reference without kind') : t`a ${facts.what}`}; the volume will be empty`,

  fixes: ({ facts }, { object }, _context, edit) =>
    facts.hasRef
      ? []
      : [
          {
            title: t('Write it as dataSourceRef'),
            safety: 'unsafe',
            edits: [edit.renameKey(object, SOURCE, 'dataSourceRef')],
          },
        ],
});
