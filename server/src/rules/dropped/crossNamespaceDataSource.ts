import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { FieldPath } from '../../manifest/fieldPath';
import { layered } from '../framework/layers';
import { defineRule } from '../framework/rule';
import { CROSS_NAMESPACE_GATE, claimSources, isSameSource } from '../reading/claimSource';

interface Facts {
  readonly namespace: string;
  readonly own: string;
  readonly left: 'nothing' | 'same' | 'other';
}

const REF = FieldPath.of('spec', 'dataSourceRef');

export default defineRule<Facts>({
  meta: {
    code: 'dropped/cross-namespace-data-source',
    category: 'dropped',
    severity: 'error',
    cost: 'typing',
    summary: 'A claim takes its data from another namespace, but the API server ignores the reference.',
    why: `With the feature gate ${CROSS_NAMESPACE_GATE} off (it is alpha and off by default) the whole \`dataSourceRef\` is removed, not just its namespace. The claim is created, and the volume is empty.`,
    remedy: `Turn the gate ${CROSS_NAMESPACE_GATE} on in the API server and the provisioner, or name a source in the claim's own namespace without \`namespace\`.`,
    details: [
      'It is dropped even when the namespace is the claim’s own, and before validation, so that a bad name is not reported.',
      'With `dataSource` beside it, `dataSourceRef` is made again as a copy of that: the local source is used.',
      'In the claim templates of a StatefulSet or an ephemeral volume it is kept, and dropped when the controller makes the claim.',
    ].join('\n'),
    source: { project: 'kubernetes', symbol: 'persistentvolumeclaim.DropDisabledFields', fidelity: 'same' },
    since: '1.26',
    url: 'https://kubernetes.io/docs/concepts/storage/persistent-volumes/#cross-namespace-data-sources',
  },
  on: ['PersistentVolumeClaim'],

  *check(target, { kube }) {
    const sources = claimSources(target, kube);
    const ref = sources?.written.dataSourceRef;
    if (sources === undefined || ref === undefined || !sources.refDropped) return;
    const kept = sources.stored.dataSourceRef;
    const left = kept === undefined ? 'nothing' : isSameSource(kept, ref) ? 'same' : 'other';
    yield {
      at: kept === undefined ? REF : REF.child('namespace'),
      part: kept === undefined ? 'key' : 'entry',
      facts: { namespace: ref.namespace, own: target.object.namespace ?? 'default', left },
      unnecessary: true,
    };
  },

  message: ({ facts: { namespace, left } }) => {
    const isOff = t`the feature gate ${CROSS_NAMESPACE_GATE} is off`;
    if (left === 'nothing') {
      return layered(
        t`"dataSourceRef" is ignored by the API server: ${isOff}`,
        `The volume will be empty instead of holding data from namespace ${quoted(namespace)}.`,
      );
    }
    return layered(
      t`this namespace is ignored by the API server: ${isOff}`,
      "The data is taken from the claim's own namespace, as dataSource says.",
    );
  },

  fixes: ({ facts }, { object }, _context, edit) =>
    facts.namespace === facts.own || facts.left === 'same'
      ? [
          {
            title: t('Remove the namespace'),
            safety: 'safe',
            edits: [edit.remove(object, REF.child('namespace'))],
          },
        ]
      : [
          {
            title: t("Take the source of this name from the claim's own namespace"),
            safety: 'unsafe',
            edits: [edit.remove(object, REF.child('namespace'))],
          },
        ],
});
