import { asInteger } from '../../../base/json';
import { t } from '../../../base/l10n';
import { nearestNames } from '../../../base/nearest';
import { printed } from '../../../base/printed';
import { type ChangeCandidate, MAX_ALTERNATIVES, type Proposal, type Propose, type Situation } from '../candidate';
import { type Edit, type ObjectRef, type PathStep, refOf, valueIn } from '../edits';

const GROUP = 'resource.k8s.io';
const PLUGIN = 'DynamicResources';

/** Where the requests of a claim are written. */
interface ClaimSpecLocation {
  readonly object: ObjectRef;
  readonly path: readonly PathStep[];
}

/** One request of a claim, and how to change it. */
interface DeviceRequest {
  readonly name: string;
  readonly claim: ObjectRef;
  readonly of: (field: string) => unknown;
  readonly change: (
    words: string,
    cost: number,
    path: readonly PathStep[],
    edit: Omit<Edit, 'object' | 'path'>,
  ) => ChangeCandidate;
}

/** Fewer devices, another class, one selector less, or a toleration of the devices' taints. */
export const changeDevices: Propose = situation =>
  claimSpecsOf(situation).flatMap(location => [
    ...requestsAt(situation, location).flatMap(it => [
      ...fewerDevices(it),
      ...otherClasses(situation, it),
      ...withoutSelectors(it),
      ...tolerations(situation, it),
    ]),
    ...withoutConstraints(situation, location),
  ]);

/** `path` leads to a claim's `devices`. */
function claimSpecsOf({ pod, documents }: Situation): readonly ClaimSpecLocation[] {
  return (pod.spec.resourceClaims ?? []).flatMap((it): readonly ClaimSpecLocation[] => {
    const { resourceClaimName, resourceClaimTemplateName } = it;
    const kind = resourceClaimName ? 'ResourceClaim' : 'ResourceClaimTemplate';
    const name = resourceClaimName ?? resourceClaimTemplateName ?? '';
    const object: ObjectRef = { group: GROUP, kind, namespace: pod.namespace, name };
    const path = resourceClaimName ? ['spec', 'devices'] : ['spec', 'spec', 'devices'];
    return documents.find(object) === undefined ? [] : [{ object, path }];
  });
}

function requestsAt({ documents }: Situation, { object, path }: ClaimSpecLocation): readonly DeviceRequest[] {
  const requests = valueIn(documents.find(object), [...path, 'requests']);
  return (Array.isArray(requests) ? requests : []).map((request: unknown, i): DeviceRequest => {
    const exactly = valueIn(request, ['exactly']) === undefined ? [] : ['exactly'];
    return {
      name: printed(valueIn(request, ['name']) ?? i),
      claim: object,
      of: field => valueIn(request, [...exactly, field]),
      change: (words, cost, at, edit) =>
        candidate(words, cost, { object, path: [...path, 'requests', i, ...exactly, ...at], ...edit }),
    };
  });
}

const candidate = (words: string, cost: number, edit: Edit): ChangeCandidate => ({
  kind: 'devices',
  plugin: PLUGIN,
  words,
  edits: [edit],
  cost,
  verifiedBy: 'run',
});

function fewerDevices({ name, claim, of, change }: DeviceRequest): readonly Proposal[] {
  const count = asInteger(of('count'));
  if (of('allocationMode') === 'All') {
    const words = t`ask for one device instead of all in ${name} of ${claim.kind} ${claim.name}`;
    return [change(words, 3, ['allocationMode'], { action: 'set', value: 'ExactCount' })];
  }
  if (count === undefined || count <= 1) return [];
  const at = (n: number): ChangeCandidate =>
    change(
      t`ask for ${count - 1 - n} instead of ${count} devices in ${name} of ${claim.kind} ${claim.name}`,
      1 + (9 * (n + 1)) / count,
      ['count'],
      {
        action: 'set',
        value: count - 1 - n,
      },
    );
  return [{ count: count - 1, at }];
}

function otherClasses(
  { documents }: Situation,
  { name, claim, of, change }: DeviceRequest,
): readonly ChangeCandidate[] {
  const classes = documents.ofKind(GROUP, 'DeviceClass').map(it => refOf(it).name);
  const now = printed(of('deviceClassName') ?? '');
  const [near] = classes.includes(now) ? [] : nearestNames(now, classes);
  return classes
    .filter(it => it !== now)
    .slice(0, MAX_ALTERNATIVES)
    .map(it =>
      change(
        t`ask for the device class ${it} instead of ${now} in ${name} of ${claim.kind} ${claim.name}`,
        it === near ? 1 : 4,
        ['deviceClassName'],
        {
          action: 'set',
          value: it,
        },
      ),
    );
}

function withoutSelectors({ name, claim, of, change }: DeviceRequest): readonly ChangeCandidate[] {
  const selectors = of('selectors');
  return (Array.isArray(selectors) ? selectors : []).map((_, i) =>
    change(t`drop selector ${i + 1} of ${name} in ${claim.kind} ${claim.name}`, 4, ['selectors', i], {
      action: 'remove',
    }),
  );
}

/** Removes constraints between devices. */
function withoutConstraints({ documents }: Situation, { object, path }: ClaimSpecLocation): readonly ChangeCandidate[] {
  const constraints = valueIn(documents.find(object), [...path, 'constraints']);
  return (Array.isArray(constraints) ? constraints : []).map((it: unknown, i) => {
    const attribute = printed(valueIn(it, ['matchAttribute']) ?? valueIn(it, ['distinctAttribute']) ?? i + 1);
    const words = t`drop the constraint ${attribute} of ${object.kind} ${object.name}`;
    return candidate(words, 4, { object, path: [...path, 'constraints', i], action: 'remove' });
  });
}

interface DeviceTaint {
  readonly key?: string;
  readonly value?: string;
  readonly effect?: string;
}

/** One toleration for each distinct taint of devices. */
function tolerations({ documents }: Situation, { name, claim, change }: DeviceRequest): readonly ChangeCandidate[] {
  const devices = documents.ofKind(GROUP, 'ResourceSlice').flatMap(it => valueIn(it, ['spec', 'devices']) ?? []);
  const taints = devices.flatMap(it => (valueIn(it, ['taints']) ?? []) as readonly DeviceTaint[]);
  const inWords = ({ key = '', value, effect = '' }: DeviceTaint): string =>
    `${key}${value ? `=${value}` : ''}:${effect}`;
  const distinct = new Map(taints.filter(it => it.effect !== 'None').map(it => [inWords(it), it]));
  return [...distinct].slice(0, MAX_ALTERNATIVES).map(([words, { key, value, effect }]) =>
    change(t`tolerate the device taint ${words} in ${name} of ${claim.kind} ${claim.name}`, 3, ['tolerations'], {
      action: 'append',
      value: { key, operator: value ? 'Equal' : 'Exists', ...(value && { value }), effect },
    }),
  );
}
