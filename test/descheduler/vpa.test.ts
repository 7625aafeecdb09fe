import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../../server/src/base/json';
import type { UpdateMode, VerticalPodAutoscaler } from '../../server/src/descheduler/vpa/autoscaler';
import { type VpaOutcome, vpaWhatIf } from '../../server/src/descheduler/vpa/whatIf';
import { isGateOn } from '../scheduler/support';
import { node, replicas } from './support';

const NOW = Date.parse('2026-03-02T00:00:00Z');

interface Given {
  readonly target: UnknownObject;
  readonly policy?: UnknownObject;
  readonly container?: UnknownObject;
}

/** A VPA of the ReplicaSet web, whose bounds equal its target. */
function vpa({ target, policy = {}, container = {} }: Given): VerticalPodAutoscaler {
  return {
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      targetRef: { kind: 'ReplicaSet', name: 'web' },
      updatePolicy: policy,
      resourcePolicy: { containerPolicies: [{ containerName: '*', ...container }] },
    },
    status: {
      recommendation: {
        containerRecommendations: [{ containerName: 'app', target, lowerBound: target, upperBound: target }],
      },
    },
  } as VerticalPodAutoscaler;
}

const pods = (where: Readonly<Record<string, number>>, resources: UnknownObject) =>
  replicas('web', where, { containers: [{ name: 'app', image: 'app', resources }] });

function outcomeOf(objects: readonly UnknownObject[], given: Given, minor = '1.37'): VpaOutcome {
  return vpaWhatIf(objects, vpa(given), { run: { kubernetesVersion: minor, isGateOn }, now: NOW })!;
}

/** `web-1 resized`, by round, without Pods that are kept. */
const actions = ({ modes }: VpaOutcome, mode: UpdateMode): readonly (readonly string[])[] =>
  (modes.find(it => it.mode === mode)?.rounds ?? []).map(({ updates }) =>
    updates.filter(it => it.action !== 'kept').map(it => `${it.pod.replace('default/', '')} ${it.action}`),
  );

const because = ({ modes }: VpaOutcome, mode: UpdateMode): string | undefined =>
  modes.find(it => it.mode === mode)?.rounds[0]?.updates[0]?.because;

const NODES = [node('n0', { cpu: '4', memory: '8Gi' }), node('n1', { cpu: '4', memory: '8Gi' })];
const TWO = [...NODES, ...pods({ n0: 1, n1: 1 }, { requests: { cpu: '1', memory: '1Gi' } })];

describe('a malformed VPA', () => {
  it('is told with its target as it is written', () => {
    const malformed = { metadata: { name: 'web' }, spec: { targetRef: { kind: { toString: null }, name: 'web' } } };
    const run = { run: { kubernetesVersion: '1.37', isGateOn }, now: NOW };
    const outcome = vpaWhatIf(TWO, malformed as unknown as VerticalPodAutoscaler, run);
    expect(outcome?.notes).toContain('No running Pod belongs to {"toString":null} web.');
  });
});

describe('update modes', () => {
  it('evict, resize, or do neither', () => {
    const outcome = outcomeOf(TWO, { target: { cpu: '2' } });
    expect(actions(outcome, 'Off')).toEqual([]);
    expect(actions(outcome, 'Initial')).toEqual([]);
    expect(actions(outcome, 'Recreate')).toEqual([['web-1 evicted', 'web-2 waits'], ['web-2 evicted'], []]);
    expect(actions(outcome, 'InPlaceOrRecreate')).toEqual([['web-1 resized', 'web-2 waits'], ['web-2 resized'], []]);
    expect(outcome.modes.filter(it => it.isOwn).map(it => it.mode)).toEqual(['Recreate']);
  });

  it('give replacements of evicted Pods the recommended requests', () => {
    const outcome = outcomeOf(TWO, { target: { cpu: '3500m' } });
    const [first] = outcome.modes.find(it => it.mode === 'Recreate')!.rounds;
    expect(first?.landings).toMatchObject([{ pod: 'default/web-3', node: 'n0' }]);
    const tooMuch = outcomeOf(TWO, { target: { cpu: '5' } }).modes.find(it => it.mode === 'Recreate')!.rounds[0];
    expect(tooMuch?.landings[0]?.message).toMatch(/^0\/2 nodes are available: 2 Insufficient cpu/);
  });

  it('fall back to eviction where the node cannot resize, but InPlace waits', () => {
    const crowded = [
      ...TWO,
      ...replicas(
        'other',
        { n0: 1, n1: 1 },
        { containers: [{ name: 'o', image: 'o', resources: { requests: { cpu: '2' } } }] },
      ),
    ];
    const outcome = outcomeOf(crowded, { target: { cpu: '3' } });
    expect(actions(outcome, 'InPlaceOrRecreate')[0]).toEqual(['web-1 evicted', 'web-2 waits']);
    expect(because(outcome, 'InPlaceOrRecreate')).toBe(
      'a resize in place is deferred for more than 5 min: n0 has not enough cpu left',
    );
    expect(actions(outcome, 'InPlace')).toEqual([['web-1 waits', 'web-2 waits']]);
    expect(because(outcomeOf(TWO, { target: { cpu: '5' } }), 'InPlace')).toBe('n0 has less cpu altogether');
  });

  it('apply the API server’s validation', () => {
    const guaranteed = { cpu: '1', memory: '1Gi' };
    const same = [...NODES, ...pods({ n0: 1, n1: 1 }, { requests: guaranteed, limits: guaranteed })];
    const requestsOnly = { controlledValues: 'RequestsOnly' };
    expect(because(outcomeOf(same, { target: { cpu: '500m' }, container: requestsOnly }), 'InPlace')).toBe(
      'its QoS class would change from Guaranteed to Burstable',
    );
    const less = { target: { memory: '512Mi' } };
    expect(because(outcomeOf(same, less, '1.33'), 'InPlace')).toMatch(/^before Kubernetes 1.34 a memory limit/);
    expect(actions(outcomeOf(same, less), 'InPlace')[0]).toEqual(['web-1 resized', 'web-2 waits']);
  });
});

describe('the updater', () => {
  it('does not evict a single replica unless minReplicas allows it', () => {
    const one = [...NODES, ...pods({ n0: 1 }, { requests: { cpu: '1' } })];
    expect(because(outcomeOf(one, { target: { cpu: '2' } }), 'Recreate')).toBe(
      'it has 1 replicas, and the updater wants 2 to touch one',
    );
    expect(actions(outcomeOf(one, { target: { cpu: '2' }, policy: { minReplicas: 1 } }), 'Recreate')[0]).toEqual([
      'web-1 evicted',
    ]);
  });

  it('keeps Pods within the bounds, young Pods, and Pods with the opposite change requirement', () => {
    expect(because(outcomeOf(TWO, { target: { cpu: '1', memory: '1Gi' } }), 'Recreate')).toMatch(
      /^its requests are within/,
    );
    const policy = { evictionRequirements: [{ resources: ['cpu'], changeRequirement: 'TargetHigherThanRequests' }] };
    expect(because(outcomeOf(TWO, { target: { cpu: '500m' }, policy }), 'Recreate')).toBe(
      'its evictionRequirements are not met',
    );
    expect(actions(outcomeOf(TWO, { target: { cpu: '2' }, policy }), 'Recreate')[0]).toContain('web-1 evicted');
  });

  it('keeps to a budget', () => {
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web', namespace: 'default' },
      spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } },
    };
    expect(actions(outcomeOf([...TWO, budget], { target: { cpu: '2' } }), 'Recreate')).toEqual([
      ['web-1 waits', 'web-2 waits'],
    ]);
  });
});

describe('the applied recommendation', () => {
  const wanted = (resources: UnknownObject, given: Given, more: readonly UnknownObject[] = []) =>
    outcomeOf([...NODES, ...more, ...pods({ n0: 1, n1: 1 }, resources)], given).containers[0]?.wanted;
  const resources = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '1Gi' } };

  it('keeps the ratio of limits to requests, or the limits', () => {
    const target = { cpu: '500m', memory: '2Gi' };
    expect(wanted(resources, { target })).toEqual({ requests: target, limits: { cpu: '1000m', memory: '2Gi' } });
    expect(wanted(resources, { target, container: { controlledValues: 'RequestsOnly' } })).toEqual({
      requests: { cpu: '500m', memory: '1Gi' },
      limits: resources.limits,
    });
  });

  it('stays within minAllowed, maxAllowed and the LimitRange', () => {
    const container = { minAllowed: { cpu: '700m' }, maxAllowed: { memory: '1536Mi' } };
    expect(wanted(resources, { target: { cpu: '500m', memory: '2Gi' }, container })).toMatchObject({
      requests: { cpu: '700m', memory: '1536Mi' },
    });
    const range = {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'most', namespace: 'default' },
      spec: { limits: [{ type: 'Container', max: { cpu: '3' } }] },
    };
    expect(wanted(resources, { target: { cpu: '2' } }, [range])).toMatchObject({
      requests: { cpu: '1500m' },
      limits: { cpu: '3000m' },
    });
  });

  it('is absent for a container with mode Off', () => {
    expect(wanted(resources, { target: { cpu: '2' }, container: { mode: 'Off' } })).toEqual(resources);
  });
});

it('objects whose names are no texts are left as they are', () => {
  const name = { toString: null, valueOf: null };
  const strange = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: name } };
  const target = { target: { cpu: '2' } };
  expect(actions(outcomeOf([...TWO, strange], target), 'Recreate')).toEqual(
    actions(outcomeOf(TWO, target), 'Recreate'),
  );
});
