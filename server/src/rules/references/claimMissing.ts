import { asList, asText } from '../../base/json';
import type { FieldPath } from '../../manifest/fieldPath';
import { fieldAt, valueAt } from '../../manifest/valueAt';
import { NAMED } from '../../workspace/references/kinds';
import { defineRule, type RuleTarget } from '../framework/rule';
import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/claim-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A Pod or a snapshot uses a PersistentVolumeClaim that is defined nowhere in its namespace.',
      why: 'The scheduler waits for the claim: the Pod stays Pending ("persistentvolumeclaim … not found"). A snapshot of it never becomes ready.',
      remedy: 'Correct the name or the namespace, or define the claim.',
      details:
        'Claims that a StatefulSet makes from its templates, and those of ephemeral volumes, are made by controllers and not asked for here.',
      source: { project: 'kubernetes', symbol: 'scheduler volumebinding PreFilter', fidelity: 'inspired' },
      url: 'https://kubernetes.io/docs/concepts/storage/persistent-volumes/',
    },
    isChecked: targetsKind(NAMED.claim),
    isSkipped: ({ at }, target) => isReplaced(at, target),
  }),
);

/**
 * Whether a StatefulSet replaces the volume by its own claim: the volume has the name of a claim template. Upstream:
 * updateStorage.
 */
function isReplaced(at: FieldPath, { object, value }: RuleTarget): boolean {
  const volume = at.parent?.parent && asText(valueAt(value, at.parent.parent.child('name')));
  if (object.kind !== 'StatefulSet' || volume === undefined) return false;
  const templates = asList(fieldAt(value, 'spec', 'volumeClaimTemplates'));
  return templates.some(it => asText(fieldAt(it, 'metadata', 'name')) === volume);
}
