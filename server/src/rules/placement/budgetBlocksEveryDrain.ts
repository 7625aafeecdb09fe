import { asObject, type JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import { lazyByObject } from '../../base/lazy';
import { desiredHealthy } from '../../cluster/disruptions';
import { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../../workspace/object';
import { podsSelected, podsTargetOf } from '../../workspace/references/definitions';
import type { Snapshot } from '../../workspace/workspace';
import { change, fixOf } from '../edits/fix';
import { defineRule, type RuleContext } from '../framework/rule';
import { replicaRange } from '../reading/replicas';
import { maySelectElsewhere } from '../reading/unknownNamespace';
import { counted } from './phrases';

interface Facts {
  readonly field: 'minAvailable' | 'maxUnavailable';
  readonly value: string;
  /** The number of Pods that it selects; absent if it blocks any number. */
  readonly pods?: number;
  /** How many of them must stay, if it is given as a percentage. */
  readonly healthy?: number;
}

export default defineRule<Facts>({
  meta: {
    code: 'placement/budget-blocks-every-drain',
    category: 'placement',
    severity: 'info',
    cost: 'workspace',
    summary: 'A PodDisruptionBudget never lets one of its healthy Pods be evicted.',
    why: 'Draining a node waits for such a Pod for ever: node upgrades and the cluster autoscaler stop there until someone deletes the Pod or the budget.',
    remedy: 'Allow one Pod to be unavailable, or run one replica more than must be available.',
    details: [
      'Told of `maxUnavailable: 0`, of `minAvailable: 100%`, and where `minAvailable` is as high as all Pods that the budget selects:',
      'percentages are rounded up, so that 80% of 3 Pods are 3. The Pods are those of the workspace, with the highest number that an',
      'autoscaler may give them; silent where their number is not written, and of a budget that selects more than 200 workloads.',
    ].join('\n'),
    source: {
      project: 'kubernetes',
      symbol: 'disruption.(*DisruptionController).getExpectedPodCount',
      fidelity: 'same',
    },
    url: 'https://kubernetes.io/docs/concepts/workloads/pods/disruptions/',
  },
  on: ['PodDisruptionBudget'],

  *check({ object, value }, context) {
    const spec = asObject(value.spec);
    const field = spec?.maxUnavailable === undefined ? 'minAvailable' : 'maxUnavailable';
    const written = spec?.[field];
    if (object.group !== 'policy' || spec === undefined || !isAmount(written)) return;
    const at = FieldPath.of('spec', field);
    if (BLOCKS_ALL[field].test(String(written))) {
      yield { at, part: 'value', facts: { field, value: String(written) } };
      return;
    }
    const pods = selectedPods(object, context);
    const healthy = pods && desiredHealthy({ [field]: written }, pods);
    if (pods === undefined || healthy === undefined || pods === 0 || healthy < pods) return;
    const isPercent = typeof written === 'string';
    yield { at, part: 'value', facts: { field, value: String(written), pods, ...(isPercent && { healthy }) } };
  },

  message: ({ facts: { field, value, pods, healthy } }) => {
    const effect = t('so no drain of a node gets past one of them');
    if (pods === undefined) {
      const what =
        field === 'maxUnavailable' ? t('not one healthy Pod may be evicted') : t('all Pods must stay available');
      return t`with ${field}: ${value} ${what}, ${effect}`;
    }
    const share = healthy === undefined ? '' : t` (rounded up, ${healthy})`;
    return t`it selects ${counted(pods, 'Pod')}, and ${value}${share} must stay available, ${effect}`;
  },

  fixes({ at, facts: { field, pods } }, { object }, _context, edit) {
    if (field === 'maxUnavailable') return pods === undefined || pods > 1 ? [fixOf(change(at, 1), object, edit)] : [];
    return pods === undefined || pods < 2 ? [] : [fixOf(change(at, pods - 1), object, edit)];
  },
});

/** Values that allow no disruption, however many Pods there are. */
const BLOCKS_ALL: Readonly<Record<Facts['field'], RegExp>> = { maxUnavailable: /^0+%?$/, minAvailable: /^0*100%$/ };

const isAmount = (value: JsonValue | undefined): value is number | string =>
  typeof value === 'number' || typeof value === 'string';

/** How many Pods a budget selects at most; undefined if that is not written. */
function selectedPods(object: WorkspaceObject, context: RuleContext): number | undefined {
  const { snapshot } = context;
  const target = podsTargetOf(snapshot, object);
  if (target?.matcher.kind !== 'requirements') return undefined;
  const selected = podsSelected(snapshot, target);
  if (selected.length === 0 && maySelectElsewhere(context, object, target)) return undefined;
  return sumOf(selected, snapshot);
}

/** Several objects for one workload count once; the range of its replicas covers all of them. By the list of a selector. */
const workloadsAmong = lazyByObject((selected: readonly WorkspaceObject[]): readonly WorkspaceObject[] | undefined => {
  const byName = new Map<string, WorkspaceObject>();
  for (const it of selected) {
    byName.set(`${it.kind} ${it.name}`, it);
    if (byName.size > MOST_WORKLOADS) return undefined;
  }
  return [...byName.values()];
});

/** Of no more workloads Pods are counted: any number of budgets may select all of them. */
const MOST_WORKLOADS = 200;

function sumOf(selected: readonly WorkspaceObject[], snapshot: Snapshot): number | undefined {
  const workloads = workloadsAmong(selected);
  if (workloads === undefined) return undefined;
  const counts = workloads.map(it => replicaRange(it, snapshot)?.most);
  return counts.includes(undefined) ? undefined : counts.reduce<number>((sum, it) => sum + (it ?? 0), 0);
}
