import { t } from '@vscode/l10n';
import { nearestNames } from '../../../kube/nearest';
import { type Candidate, MOST_ALTERNATIVES, type Proposal, type Propose, type Situation } from '../candidate';
import { type Edit, type ObjectRef, refOf, type Step, valueIn } from '../edits';

const GROUP = 'resource.k8s.io';
const PLUGIN = 'DynamicResources';

/** Where the requests of a claim are written. */
interface DevicePlace {
  readonly object: ObjectRef;
  readonly path: readonly Step[];
}

/** Fewer devices, another class, one condition less. */
export const changeDevices: Propose = situation => placesOf(situation).flatMap(it => requestChanges(situation, it));

function placesOf({ pod, documents }: Situation): readonly DevicePlace[] {
  return (pod.spec.resourceClaims ?? []).flatMap((it): readonly DevicePlace[] => {
    const { resourceClaimName, resourceClaimTemplateName } = it;
    const kind = resourceClaimName ? 'ResourceClaim' : 'ResourceClaimTemplate';
    const name = resourceClaimName ?? resourceClaimTemplateName ?? '';
    const object: ObjectRef = { group: GROUP, kind, namespace: pod.namespace, name };
    const path = resourceClaimName ? ['spec', 'devices', 'requests'] : ['spec', 'spec', 'devices', 'requests'];
    return documents.find(object) === undefined ? [] : [{ object, path }];
  });
}

function requestChanges({ documents }: Situation, { object, path }: DevicePlace): readonly Proposal[] {
  const requests = valueIn(documents.find(object), path);
  if (!Array.isArray(requests)) return [];
  const classes = documents.ofKind(GROUP, 'DeviceClass').map(it => refOf(it).name);
  return requests.flatMap((request: unknown, i): readonly Proposal[] => {
    const name = String(valueIn(request, ['name']) ?? i);
    const exactly = valueIn(request, ['exactly']) === undefined ? [] : ['exactly'];
    const at = [...path, i, ...exactly];
    const of = (field: string): unknown => valueIn(request, [...exactly, field]);
    const change = (words: string, cost: number, edit: Omit<Edit, 'object'>): Candidate => ({
      kind: 'devices',
      plugin: PLUGIN,
      words,
      edits: [{ object, ...edit }],
      cost,
      tells: 'run',
    });
    const count = of('count');
    const now = String(of('deviceClassName') ?? '');
    const selectors = of('selectors');
    const [near] = classes.includes(now) ? [] : nearestNames(now, classes);
    return [
      ...(typeof count === 'number' && count > 1
        ? [
            {
              count: count - 1,
              at: (n: number) =>
                change(
                  t`ask for ${count - 1 - n} instead of ${count} devices in ${name} of ${object.kind} ${object.name}`,
                  1 + (9 * (n + 1)) / count,
                  { path: [...at, 'count'], action: 'set', value: count - 1 - n },
                ),
            },
          ]
        : []),
      ...classes
        .filter(it => it !== now)
        .slice(0, MOST_ALTERNATIVES)
        .map(it =>
          change(
            t`ask for the device class ${it} instead of ${now} in ${name} of ${object.kind} ${object.name}`,
            it === near ? 1 : 4,
            {
              path: [...at, 'deviceClassName'],
              action: 'set',
              value: it,
            },
          ),
        ),
      ...(Array.isArray(selectors) ? selectors : []).map((_, s) =>
        change(t`drop selector ${s + 1} of ${name} in ${object.kind} ${object.name}`, 4, {
          path: [...at, 'selectors', s],
          action: 'remove',
        }),
      ),
    ];
  });
}
