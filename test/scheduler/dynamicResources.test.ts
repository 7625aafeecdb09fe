import { describe, expect, test } from 'vitest';
import type { UnknownObject } from '../../server/src/base/json';
import { runScenario } from '../../server/src/scheduler/scenario';
import { isGateOn } from './support';

type Fields = Readonly<Record<string, unknown>>;

const api = 'resource.k8s.io/v1';
const driver = 'd.example.com';

const node = (name: string): UnknownObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  status: { capacity: { cpu: '8', memory: '16Gi', pods: '100' } },
});

const slice = (name: string, pool: string, devices: readonly Fields[], more: Fields = {}): UnknownObject => ({
  apiVersion: api,
  kind: 'ResourceSlice',
  metadata: { name },
  spec: { driver, nodeName: 'n1', pool: { name: pool, generation: 1, resourceSliceCount: 1 }, devices, ...more },
});

const anyDevice: UnknownObject = { apiVersion: api, kind: 'DeviceClass', metadata: { name: 'any' }, spec: {} };

const claim = (name: string, requests: readonly Fields[], constraints: readonly Fields[] = []): UnknownObject => ({
  apiVersion: api,
  kind: 'ResourceClaim',
  metadata: { name },
  spec: { devices: { requests, constraints } },
});

const exactly = (name: string, more: Fields = {}): Fields => ({ name, exactly: { deviceClassName: 'any', ...more } });
const cel = (expression: string): Fields => ({ selectors: [{ cel: { expression } }] });

const pod = (name: string, ...claims: readonly string[]): UnknownObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    containers: [{ name: 'c', image: 'app:1' }],
    resourceClaims: claims.map(it => ({ name: it, resourceClaimName: it })),
  },
});

function run(...objects: readonly UnknownObject[]) {
  return runScenario([node('n1'), anyDevice, ...objects], { kubernetesVersion: '1.37', isGateOn });
}

/** The devices of one Pod with these claims, or why it gets none. */
function allocatedTo(slices: readonly UnknownObject[], ...claims: readonly UnknownObject[]): readonly string[] {
  const names = claims.map(it => String((it.metadata as Fields).name));
  const [attempt] = run(...slices, ...claims, pod('p', ...names)).attempts;
  const devices = attempt?.claims?.flatMap(it => it.devices.map(device => device.replace(`=${driver}/`, ' = ')));
  return devices ?? [attempt?.message ?? 'nothing'];
}

const numbered = (...values: readonly number[]): Fields[] =>
  values.map((n, i) => ({ name: `d${i}`, attributes: { n: { int: n }, [`${driver}/id`]: { string: `d${i}` } } }));
const none =
  '0/1 nodes are available: 1 cannot allocate all claims. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.';

describe('devices are allocated', () => {
  test('in the order of pools and slices by name, and of devices as listed', () => {
    const twoSlices = { pool: { name: 'b', generation: 1, resourceSliceCount: 2 } };
    const slices = [
      slice('z', 'b', [{ name: 'first' }], twoSlices),
      slice('y', 'b', [{ name: 'second' }, { name: 'a' }], twoSlices),
      slice('x', 'a', [{ name: 'zero' }]),
    ];
    expect(allocatedTo(slices, claim('c', [exactly('r', { count: 3 })]))).toEqual([
      'r = a/zero',
      'r = b/second',
      'r = b/a',
    ]);
  });

  test('with a constraint over several requests, backtracking where the first choice fails', () => {
    const slices = [slice('s', 'p', numbered(0, 1, 1, 0, 1))];
    const all = claim('c', [exactly('a', { count: 2 }), exactly('b')], [{ matchAttribute: `${driver}/n` }]);
    expect(allocatedTo(slices, all)).toEqual(['a = p/d1', 'a = p/d2', 'b = p/d4']);
  });

  test('with attributes that must differ', () => {
    const slices = [slice('s', 'p', numbered(0, 0, 1))];
    const distinct = claim('c', [exactly('a'), exactly('b')], [{ distinctAttribute: `${driver}/n` }]);
    expect(allocatedTo(slices, distinct)).toEqual(['a = p/d0', 'b = p/d2']);
  });

  test('by backtracking when a later request needs the device', () => {
    const slices = [slice('s', 'p', numbered(0, 1))];
    const selective = exactly('b', cel(`device.attributes["${driver}"].n == 0`));
    expect(allocatedTo(slices, claim('c', [exactly('a'), selective]))).toEqual(['a = p/d1', 'b = p/d0']);
  });

  test('for two claims of a Pod, none of them twice', () => {
    const slices = [slice('s', 'p', numbered(0, 1))];
    expect(allocatedTo(slices, claim('c', [exactly('r')]), claim('e', [exactly('r')]))).toEqual([
      'r = p/d0',
      'r = p/d1',
    ]);
    expect(allocatedTo(slices, claim('c', [exactly('r', { count: 2 })]), claim('e', [exactly('r')]))).toEqual([none]);
  });

  test('with a later alternative when the first needs too many', () => {
    const slices = [slice('s', 'p', numbered(0, 1))];
    const alternatives = [
      { name: 'three', deviceClassName: 'any', count: 3 },
      { name: 'all', deviceClassName: 'any', allocationMode: 'All', ...cel(`device.attributes["${driver}"].n == 1`) },
    ];
    expect(allocatedTo(slices, claim('c', [{ name: 'r', firstAvailable: alternatives }]))).toEqual(['r/all = p/d1']);
  });
});

describe('a Pod gets no devices', () => {
  const cases: readonly (readonly [why: string, slices: readonly UnknownObject[], request: Fields, message: string])[] =
    [
      [
        'when two devices of a pool have one name',
        [slice('s', 'p', [{ name: 'd' }, { name: 'd' }])],
        exactly('r'),
        'invalid resource pools were encountered',
      ],
      [
        'when a counter set is missing',
        [slice('s', 'p', [{ name: 'd', consumesCounters: [{ counterSet: 'x', counters: {} }] }])],
        exactly('r'),
        'invalid resource pools were encountered',
      ],
      [
        'when a taint is not tolerated',
        [slice('s', 'p', [{ name: 'd', taints: [{ key: 'k', effect: 'NoSchedule' }] }])],
        exactly('r', { tolerations: [{ key: 'other', operator: 'Exists' }] }),
        'cannot allocate all claims',
      ],
      [
        'when it wants more than a claim may hold',
        [slice('s', 'p', numbered(0))],
        exactly('r', { count: 33 }),
        'claim default/c, request r: adding 33 devices exceeds the claim limit of 32, with 0 already accounted for',
      ],
      [
        'when it wants more of a capacity than there is',
        [slice('s', 'p', [{ name: 'd', capacity: { memory: { value: '8Gi' } } }])],
        exactly('r', { capacity: { requests: { memory: '9Gi' } } }),
        'cannot allocate all claims',
      ],
      [
        'when its selector does not compile',
        [slice('s', 'p', numbered(0))],
        exactly('r', cel('device.driver')),
        'claim default/c: selector #0: CEL compile error: must evaluate to bool or the unknown type, not string',
      ],
    ];
  test.each(cases)('%s', (_, slices, request, message) => {
    expect(allocatedTo(slices, claim('c', [request]))[0]).toContain(message);
  });

  test('when others have them, and gets them after an unused claim was released', () => {
    const held = {
      ...claim('held', [exactly('r')]),
      status: {
        allocation: {
          devices: { results: [{ request: 'r', driver, pool: 'p', device: 'd0' }] },
          nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'no', operator: 'Exists' }] }] },
        },
      },
    };
    const { attempts } = run(
      slice('s', 'p', numbered(0)),
      held,
      claim('c', [exactly('r')]),
      pod('before', 'c'),
      pod('holder', 'held'),
      pod('after', 'c'),
    );
    expect(attempts.map(it => it.status)).toEqual(['unschedulable', 'unschedulable', 'scheduled']);
    expect(attempts[1]?.message).toContain('deallocation of ResourceClaim completed');
  });

  test('when the search exceeds its steps, and a note says so', () => {
    // With many devices most steps only find that the last request cannot have one.
    const tolerations = [{ operator: 'Exists' }];
    const endless = claim('c', [...['a', 'b', 'c'].map(it => exactly(it, { tolerations })), exactly('d')]);
    const taints = [{ key: 'broken', effect: 'NoSchedule' }];
    const devices = numbered(...Array.from({ length: 128 }, () => 0)).map(it => ({ ...it, taints }));
    const { attempts, notes } = run(slice('s', 'p', devices), endless, pod('p', 'c'));
    expect(attempts[0]?.message).toMatch(/node n1: timed out trying to allocate devices$/);
    expect(notes).toEqual([{ pod: 'default/p', message: expect.stringContaining('1000000 steps') }]);
  });
});

test('a claim serves at most 256 Pods', () => {
  const reserved = Array.from({ length: 256 }, (_, i) => ({ resource: 'pods', name: `q${i}`, uid: `q${i}` }));
  const allocation = { devices: { results: [{ request: 'r', driver, pool: 'p', device: 'd0' }] } };
  const full = { ...claim('c', [exactly('r')]), status: { allocation, reservedFor: reserved } };
  const [attempt] = run(slice('s', 'p', numbered(0)), full, pod('p', 'c')).attempts;
  expect(attempt?.status).toBe('error');
  expect(attempt?.message).toContain('status.reservedFor: Too many: 257: must have at most 256 items');
});

test('objects of older API versions give the same models', () => {
  const old = {
    ...slice('s', 'p', [{ name: 'd', basic: { attributes: { n: { int: 3 } } } }]),
    apiVersion: 'resource.k8s.io/v1beta1',
  };
  const oldClaim = claim('c', [{ name: 'r', deviceClassName: 'any', ...cel(`device.attributes["${driver}"].n == 3`) }]);
  expect(allocatedTo([old], { ...oldClaim, apiVersion: 'resource.k8s.io/v1beta1' })).toEqual(['r = p/d']);
});

test('broken objects are left out with a note, and the others count', () => {
  const malformed: readonly UnknownObject[] = [
    { apiVersion: api, kind: 'ResourceSlice', metadata: { name: 'broken' }, spec: { devices: 'all' } },
    { apiVersion: api, kind: 'ResourceClaim', metadata: { name: 'broken' }, spec: { devices: { requests: [1] } } },
    { apiVersion: api, kind: 'DeviceClass', metadata: { name: 'broken' }, spec: { selectors: {} } },
    { apiVersion: api, kind: 'DeviceTaintRule', metadata: { name: 'broken' }, spec: [] },
    { apiVersion: api, kind: 'ResourceClaimTemplate', metadata: { name: 'broken' }, spec: { spec: 'x' } },
  ];
  const { attempts, notes } = run(
    ...malformed,
    slice('s', 'p', numbered(0)),
    claim('c', [exactly('r')]),
    pod('p', 'c'),
  );
  expect(attempts[0]?.claims).toEqual([{ claim: 'c', devices: [`r=${driver}/p/d0`] }]);
  for (const { kind } of malformed) {
    expect(
      notes.some(it => it.message.startsWith(`${kind} broken`)),
      String(kind),
    ).toBe(true);
  }
});

test('gates that change decisions and are not simulated are noted', () => {
  const objects = [node('n1'), slice('s', 'p', numbered(0))];
  const options = { kubernetesVersion: '1.37', isGateOn, featureGates: { DRAListTypeAttributes: true } };
  expect(
    runScenario(objects, options)
      .notes.map(it => it.message)
      .join(),
  ).toContain('DRAListTypeAttributes');
  expect(runScenario([node('n1')], options).notes).toEqual([]);
});

test('the oldest allocator that supports the enabled gates is used, and it supports less', () => {
  const featureGates = { DRAConsumableCapacity: false, DRADeviceBindingConditions: false };
  const distinct = claim('c', [exactly('a'), exactly('b')], [{ distinctAttribute: `${driver}/n` }]);
  const objects = [node('n1'), anyDevice, slice('s', 'p', numbered(0, 1)), distinct, pod('p', 'c')];
  const [attempt] = runScenario(objects, { kubernetesVersion: '1.37', isGateOn, featureGates }).attempts;
  expect(attempt?.message).toContain('claim default/c, constraint #0: empty constraint');
});

test('a Pod with a claim and a resource of a device plugin cannot be bound, but its claim keeps the device', () => {
  const withPlugin = { ...node('n1'), status: { capacity: { cpu: '8', pods: '100', 'example.com/gpu': '1' } } };
  const backed = { ...anyDevice, spec: { extendedResourceName: 'example.com/gpu' } };
  const both = {
    ...pod('both', 'c'),
    spec: {
      containers: [{ name: 'c', image: 'app:1', resources: { limits: { 'example.com/gpu': '1' } } }],
      resourceClaims: [{ name: 'c', resourceClaimName: 'c' }],
    },
  };
  const claims = [claim('c', [exactly('r')]), claim('e', [exactly('r')])];
  const objects = [withPlugin, backed, slice('s', 'p', numbered(0)), ...claims, both, pod('next', 'e')];
  const { attempts, placements } = runScenario(objects, { kubernetesVersion: '1.37', isGateOn });
  expect(attempts.map(it => it.status)).toEqual(['error', 'unschedulable']);
  expect(attempts[0]?.message).toContain('running PreBind plugin "DynamicResources": nil or empty request mappings');
  expect(placements).toEqual({});
});
