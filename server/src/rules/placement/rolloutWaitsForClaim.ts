import { asList, asText } from '../../base/json';
import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { rolloutBounds } from '../../cluster/controllers/rolloutBounds';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import { NAMED } from '../../workspace/references/kinds';
import { change, fixOf } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';
import { oneNamed } from '../reading/snapshots';

interface Facts {
  readonly claim: string;
}

const UNAVAILABLE = FieldPath.of('spec', 'strategy', 'rollingUpdate', 'maxUnavailable');

export default defineRule<Facts>({
  meta: {
    code: 'placement/rollout-waits-for-claim',
    category: 'placement',
    severity: 'warning',
    cost: 'workspace',
    summary: 'A rolling update adds a Pod before it stops one, and both need a claim that is for one Pod.',
    why: 'The claim is ReadWriteOncePod: the new Pod stays Pending while the old one runs, and the old one runs until the new one is ready. No rollout ever ends.',
    remedy: 'Let the old Pod go first: `maxUnavailable: 1`, or the strategy Recreate.',
    details: 'By default maxUnavailable is 25 %, rounded down: 0 for up to three replicas.',
    source: {
      project: 'kubernetes',
      symbol: 'deploymentutil.ResolveFenceposts, volumerestrictions.(*VolumeRestrictions).Filter',
      fidelity: 'same',
    },
    url: 'https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-update-deployment',
  },
  on: ['Deployment'],

  *check(target, { snapshot }) {
    const place = podSpecOf(target);
    const bounds = rolloutBounds(target.value);
    if (place === undefined || bounds === undefined || bounds.replicas === 0 || bounds.unavailable > 0) return;
    for (const [i, it] of asList(place.spec.volumes).entries()) {
      const claim = asText(fieldAt(it, 'persistentVolumeClaim', 'claimName'));
      const found = oneNamed(snapshot, NAMED.claim, target.object.namespace, claim);
      const modes = asList(fieldAt(found?.manifest.value, 'spec', 'accessModes'));
      if (claim === undefined || modes.length === 0 || !modes.every(mode => mode === 'ReadWriteOncePod')) continue;
      yield {
        at: place.at.child('volumes').index(i).child('persistentVolumeClaim', 'claimName'),
        part: 'value',
        facts: { claim },
      };
    }
  },

  message: ({ facts: { claim } }) =>
    t`no rollout ends: the new Pod waits for the claim ${quoted(claim)} (ReadWriteOncePod), and the old Pod is kept until the new one is ready, as maxUnavailable is 0`,

  fixes: (_finding, { object }, _context, edit) => [fixOf(change(UNAVAILABLE, 1), object, edit)],
});
