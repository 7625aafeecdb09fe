import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../../server/src/base/json';
import type { AskPolicies } from '../../server/src/cluster/admission/mutationAdmission';
import { scenarioFromObjects } from '../../server/src/cluster/scenario';
import type { Pod } from '../../server/src/kube/types';

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
const selector = { matchLabels: { app: 'web' } };
const workload = (kind: string, spec: UnknownObject, metadata: UnknownObject = {}): UnknownObject => ({
  apiVersion: kind.endsWith('Job') ? 'batch/v1' : 'apps/v1',
  kind,
  metadata: { name: 'web', ...metadata },
  spec,
});
const controlledBy = (kind: string, name: string): UnknownObject => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid: 'u', controller: true }],
});

/** `KIND NAME` of the objects that policies see; for an object without a name its generateName and a star. */
function seenByPolicies(objects: readonly UnknownObject[], answer: AskPolicies = () => undefined) {
  const requests: Pod[] = [];
  const scenario = scenarioFromObjects(objects, {
    expandWorkloads: true,
    askPolicies(object) {
      requests.push(object as Pod);
      return answer(object);
    },
  });
  const nameOf = ({ name, generateName }: NonNullable<Pod['metadata']> & { generateName?: string }): string =>
    name ?? `${generateName}*`;
  return { scenario, requests, names: requests.map(it => `${it.kind} ${nameOf(it.metadata ?? {})}`) };
}

describe('objects that mutating policies see', () => {
  it('are workloads, objects of controllers, and Pods as in their create requests', () => {
    const { names, requests } = seenByPolicies([workload('Deployment', { replicas: 2, selector, template })]);
    expect(names.map(it => it.replace(/web-[a-z0-9]{8,10}\b/, 'web-HASH'))).toEqual([
      'Deployment web',
      'ReplicaSet web-HASH',
      'Pod web-HASH-*',
      'Pod web-HASH-*',
    ]);
    const [, , first, second] = requests;
    expect(first).toEqual(second);
    // The Pod after the server's own plugins, which come first.
    expect(first?.spec).toMatchObject({ priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
    expect(first?.spec?.tolerations?.map(it => it.key)).toEqual([
      'node.kubernetes.io/not-ready',
      'node.kubernetes.io/unreachable',
    ]);
  });

  it('include Pods with names of their own', () => {
    const { names } = seenByPolicies([
      workload('StatefulSet', { replicas: 2, selector, template, serviceName: 'web' }),
    ]);
    expect(names).toEqual(['StatefulSet web', 'Pod web-0', 'Pod web-1']);
    const indexed = { completions: 2, parallelism: 2, completionMode: 'Indexed', template };
    expect(seenByPolicies([workload('Job', indexed)]).names).toEqual(['Job web', 'Pod web-0-*', 'Pod web-1-*']);
  });

  it('exclude objects that were in a server before', () => {
    const running = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'one' },
      spec: { ...template.spec, nodeName: 'n' },
    };
    const seen = workload('Deployment', { replicas: 0, selector, template }, { uid: 'u' });
    const made = workload(
      'ReplicaSet',
      { replicas: 0, selector, template },
      { name: 'made', ...controlledBy('Deployment', 'x') },
    );
    const bound = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data' },
      spec: { volumeName: 'pv' },
    };
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } };
    expect(seenByPolicies([running, seen, made, bound, node]).names).toEqual([]);
  });
});

describe('results of mutating policies', () => {
  const by = [{ kind: 'MutatingAdmissionPolicy', policy: 'p', changes: [{ path: 'spec.x', after: 1 }] }];
  const changing =
    (kind: string, change: (object: UnknownObject) => UnknownObject): AskPolicies =>
    object =>
      object.kind === kind ? { object: change(object), by } : undefined;

  it('give Pods labels and keep their names', () => {
    const labelled = changing('Pod', it => ({
      ...it,
      metadata: { ...(it.metadata as UnknownObject), labels: { tier: 'x' } },
    }));
    const { scenario } = seenByPolicies([workload('Deployment', { replicas: 2, selector, template })], labelled);
    expect(scenario.pending.map(({ id, labels, mutatedBy }) => ({ id, labels, mutatedBy }))).toEqual(
      ['default/web-1', 'default/web-2'].map(id => ({ id, labels: { tier: 'x' }, mutatedBy: by })),
    );
    expect(scenario.mutated).toEqual([
      { kind: 'Pod', id: 'default/web-1', by, pods: { of: 'Deployment default/web', count: 2 } },
    ]);
  });

  it('refuse a workload, whose Pods are not made, with a note', () => {
    const { scenario } = seenByPolicies([workload('Deployment', { replicas: 2, selector, template })], ({ kind }) =>
      kind === 'Deployment' ? { rejected: 'no Deployments today' } : undefined,
    );
    expect(scenario.pending).toEqual([]);
    expect(scenario.notes.map(it => it.message)).toEqual([
      'Deployment default/web does not come into the cluster: no Deployments today',
    ]);
  });

  it('may differ for the next Job of a CronJob', () => {
    const cron = workload('CronJob', { schedule: '* * * * *', jobTemplate: { spec: { parallelism: 1, template } } });
    const { scenario } = seenByPolicies(
      [cron],
      changing('Job', it => ({ ...it, spec: { ...(it.spec as UnknownObject), parallelism: 3, completions: 3 } })),
    );
    expect(scenario.pending).toHaveLength(3);
  });
});

it('changes of very many policies are told', () => {
  const pod: UnknownObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: template.spec };
  const by = Array.from({ length: 130_000 }, (_, i) => ({ kind: 'Assign', policy: `p${i}`, changes: [] }));
  const { scenario } = seenByPolicies([pod], object => ({ object, by }));
  expect(scenario.notes).toHaveLength(by.length);
});
