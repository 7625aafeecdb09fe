import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../server/src/kube/kube';
import { gateProblems, loadKube, newestMinor, supportedMinors } from '../../server/src/kube/load';

const packs = new URL('../../server/data/kubernetes/', import.meta.url);

function load(minor = newestMinor, gates: Readonly<Record<string, boolean>> = {}) {
  return loadKube(minor, gates, name => readFileSync(new URL(name, packs)));
}

function fieldOf(kube: ReturnType<typeof load>, definition: string, field: string): Schema | undefined {
  const schema = kube.schemaOf(definition);
  return schema?.type === 'object' ? schema.fields.get(field)?.schema : undefined;
}

const podSpec = 'io.k8s.api.core.v1.PodSpec';
const container = 'io.k8s.api.core.v1.Container';

describe('the packs', () => {
  it('are small', () => {
    const total = readdirSync(packs).reduce((sum, name) => sum + statSync(new URL(name, packs)).size, 0);
    expect(total).toBeLessThan(2 * 1024 * 1024);
  });

  it('are read on demand', () => {
    const read: string[] = [];
    const kube = loadKube('1.37', {}, name => {
      read.push(name);
      return readFileSync(new URL(name, packs));
    });
    kube.kindOf('v1', 'Pod');
    expect(read).toEqual(['1.37.json.br']);
    kube.description(podSpec);
    kube.apiLife('apps/v1', 'Deployment');
    expect(read).toEqual(['1.37.json.br', 'descriptions.json.br', 'api-lives.json.br']);
  });

  it('are read once for all versions and gates', () => {
    const read: string[] = [];
    const readPack = (name: string): Uint8Array => {
      read.push(name);
      return readFileSync(new URL(name, packs));
    };
    const [newest, again, older] = [
      ['1.37', {}],
      ['1.37', {}],
      ['1.36', { AllAlpha: true }],
    ].map(([minor, gates]) => loadKube(minor as string, gates as Record<string, boolean>, readPack));
    for (const it of [newest, older]) it?.kinds();
    expect(again).toBe(newest);
    expect([newest?.isGateOn('AllAlpha'), older?.isGateOn('AllAlpha')]).toEqual([false, true]);
    expect(read).toEqual(['1.37.json.br', '1.36.json.br', 'crds.json.br', 'policy-kinds.json.br']);
  });

  it('hold the policy engines’ kinds apart from the others', () => {
    const read: string[] = [];
    const kube = loadKube('1.37', {}, name => {
      read.push(name);
      return readFileSync(new URL(name, packs));
    });
    const template = kube.kindOf('templates.gatekeeper.sh/v1', 'ConstraintTemplate');
    expect(template).toMatchObject({ resource: 'constrainttemplates', namespaced: false, origin: 'crd' });
    expect(template?.structural?.properties).toHaveProperty('spec');
    expect(kube.description('mutations.gatekeeper.sh/v1.Assign.spec', 'applyTo')).toContain('ApplyTo');
    expect(read).toEqual(['1.37.json.br', 'policy-kinds.json.br']);
  });

  it('exist for every supported minor and no other', () => {
    expect(supportedMinors.at(-1)).toBe(newestMinor);
    expect(() => load('1.30')).toThrow('Kubernetes 1.30 is not supported; supported are 1.31, 1.32');
  });
});

describe.each(supportedMinors)('Kubernetes %s', minor => {
  const kube = load(minor);

  it('resolves every definition to its leaves', () => {
    const names = new Set(kube.definitions());
    const seen = new Set<string>();
    const visit = (schema: Schema): void => {
      if (schema.type === 'list') visit(schema.items);
      if (schema.type === 'map') visit(schema.values);
      if (schema.type !== 'object' || seen.has(schema.definition)) return;
      seen.add(schema.definition);
      for (const field of schema.fields.values()) visit(field.schema);
    };
    const schemas = [...names].map(name => ({ name, schema: kube.schemaOf(name) }));
    expect(schemas.filter(it => it.schema === undefined).map(it => it.name)).toEqual([]);
    for (const { schema } of schemas) visit(schema!);
    expect([...seen].filter(it => !names.has(it))).toEqual([]);
    expect(seen.size).toBeGreaterThan(500);
  });

  it('knows the kinds it serves', () => {
    expect(kube.release.startsWith(`${minor}.`)).toBe(true);
    expect(kube.kindOf('v1', 'Pod')).toMatchObject({ resource: 'pods', namespaced: true, served: 'on' });
    expect(kube.kindOf('v1', 'Node')).toMatchObject({ group: '', namespaced: false, origin: 'built-in' });
    expect(kube.kindOf('apps/v1', 'Deployment')?.schema.definition).toBe('io.k8s.api.apps.v1.Deployment');
    expect(kube.kindOf('extensions/v1beta1', 'Deployment')).toBeUndefined();
    const config = kube.kindOf('kubescheduler.config.k8s.io/v1', 'KubeSchedulerConfiguration');
    expect(config).toMatchObject({ served: 'no' });
    expect(config?.schema.fields.has('profiles')).toBe(true);
    expect(kube.kinds().filter(({ schema }) => !schema.fields.has('kind'))).toEqual([]);
  });

  it('has descriptions for hovers', () => {
    expect(kube.description(podSpec, 'nodeSelector')).toMatch(/NodeSelector is a selector which must be true/);
    expect(kube.description(container)).toMatch(/single application container/);
    expect(kube.description(podSpec, 'nodeSelectors')).toBeUndefined();
    expect(kube.description('scheduling.x-k8s.io/v1alpha1.PodGroup.spec', 'minMember')).toMatch(/^How many Pods/);
  });

  it('has a state for every gate that removes fields', () => {
    const gates = [...kube.definitions()].flatMap(name => {
      const schema = kube.schemaOf(name);
      return schema?.type === 'object'
        ? [...schema.fields.keys()].flatMap(field => kube.gatesOfField(name, field))
        : [];
    });
    expect(gates.length).toBeGreaterThan(0);
    expect(gates.filter(it => kube.gate(it)?.locked !== false)).toEqual([]);
  });
});

describe('schemas', () => {
  const kube = load();

  it('recognise types with a JSON form of their own', () => {
    expect(fieldOf(kube, 'io.k8s.api.core.v1.ResourceRequirements', 'requests')).toEqual({
      type: 'map',
      values: { type: 'quantity' },
    });
    expect(fieldOf(kube, 'io.k8s.api.core.v1.ServicePort', 'targetPort')).toEqual({ type: 'intOrString' });
    expect(fieldOf(kube, 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta', 'creationTimestamp')).toEqual({
      type: 'time',
    });
    expect(fieldOf(kube, 'io.k8s.api.coordination.v1.LeaseSpec', 'renewTime')).toEqual({ type: 'microTime' });
    expect(fieldOf(kube, 'io.k8s.api.apps.v1.ControllerRevision', 'data')).toEqual({ type: 'any' });
    expect(fieldOf(kube, 'io.k8s.api.core.v1.Secret', 'data')).toEqual({ type: 'map', values: { type: 'bytes' } });
    expect(fieldOf(kube, 'io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry', 'fieldsV1')).toEqual({
      type: 'any',
    });
  });

  it('carry enums, list keys, required fields and real defaults', () => {
    expect(fieldOf(kube, 'io.k8s.api.core.v1.Toleration', 'effect')).toEqual({
      type: 'string',
      enum: ['NoExecute', 'NoSchedule', 'PreferNoSchedule'],
    });
    expect(fieldOf(kube, podSpec, 'containers')).toMatchObject({ listType: 'map', mapKeys: ['name'] });
    expect(fieldOf(kube, container, 'ports')).toMatchObject({ mapKeys: ['containerPort', 'protocol'] });
    expect(fieldOf(kube, podSpec, 'priority')).toEqual({ type: 'integer', format: 'int32' });
    const port = kube.schemaOf('io.k8s.api.core.v1.ContainerPort');
    if (port?.type !== 'object') throw new Error('ContainerPort is an object');
    expect(port.fields.get('protocol')).toMatchObject({ default: 'TCP', required: false });
    expect(port.fields.get('containerPort')?.required).toBe(true);
    expect(port.fields.get('containerPort')).not.toHaveProperty('default');
  });

  it('cover kinds around Kubernetes', () => {
    const kinds = [
      ['gateway.networking.k8s.io/v1', 'ReferenceGrant', 'on'],
      ['snapshot.storage.k8s.io/v1', 'VolumeSnapshot', 'on'],
      ['scheduling.x-k8s.io/v1alpha1', 'PodGroup', 'on'],
      ['autoscaling.k8s.io/v1', 'VerticalPodAutoscaler', 'on'],
      ['kind.x-k8s.io/v1alpha4', 'Cluster', 'no'],
      ['descheduler/v1alpha2', 'DeschedulerPolicy', 'no'],
    ] as const;
    for (const [apiVersion, kind, served] of kinds) {
      expect(kube.kindOf(apiVersion, kind)).toMatchObject({ kind, served, origin: 'crd' });
    }
    expect(fieldOf(kube, 'scheduling.x-k8s.io/v1alpha1.PodGroup.spec', 'minResources')).toEqual({
      type: 'map',
      values: { type: 'quantity' },
    });
    expect(fieldOf(kube, 'scheduling.x-k8s.io/v1alpha1.PodGroup', 'metadata')).toMatchObject({
      definition: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
    });
  });
});

describe('feature gates', () => {
  it('have the state of their minor', () => {
    expect(load('1.31').gate('SidecarContainers')).toMatchObject({ stage: 'BETA', since: '1.29', enabled: true });
    expect(load('1.33').gate('PodLevelResources')).toMatchObject({ stage: 'ALPHA', since: '1.32', enabled: false });
    expect(load('1.37').gate('PodLevelResources')).toMatchObject({
      stage: 'BETA',
      since: '1.34',
      enabled: true,
      locked: false,
      keps: [2837],
      summary: 'Enables specifying resources at pod-level.',
    });
    expect(load().gate('NoSuchGate')).toBeUndefined();
    expect(load().isGateOn('NoSuchGate')).toBe(false);
  });

  it('can be switched, unless they are locked', () => {
    expect(load('1.33', { PodLevelResources: true }).isGateOn('PodLevelResources')).toBe(true);
    expect(load('1.33', { AllAlpha: true }).isGateOn('PodLevelResources')).toBe(true);
    expect(load('1.33', { AllAlpha: true, PodLevelResources: false }).isGateOn('PodLevelResources')).toBe(false);
    expect(load('1.37', { DRAAdminAccess: false }).isGateOn('DRAAdminAccess')).toBe(true);
  });

  it('are reported if they cannot be set', () => {
    const chosen = { PodLevelResources: false, DRAAdminAccess: false, Teleportation: true, ImageVolume: true };
    expect(gateProblems(load(), chosen)).toEqual([
      {
        gate: 'DRAAdminAccess',
        message: 'Feature gate DRAAdminAccess is locked to true in Kubernetes 1.37 and cannot be set to false.',
      },
      { gate: 'Teleportation', message: 'Kubernetes 1.37 has no feature gate Teleportation.' },
    ]);
  });

  it('give the fields that depend on them', () => {
    expect(load('1.33').gatesOfField(podSpec, 'resources')).toEqual(['PodLevelResources']);
    expect(load('1.33').gatesOfField(podSpec, 'containers')).toEqual([]);
  });

  it('keep conditional removals apart from certain ones', () => {
    const kube = load('1.34');
    expect(kube.gatesOfField(container, 'volumeMounts')).toEqual([]);
    expect(kube.fieldGate(container, 'volumeMounts')).toEqual({
      gates: [],
      requires: { ImageVolume: ['spec.volumes'] },
      conditional: ['ImageVolume'],
    });
    expect(kube.gatesOfField(container, 'restartPolicy')).toEqual([]);
    expect(kube.fieldGate(container, 'restartPolicy')).toMatchObject({
      conditional: ['ContainerRestartRules'],
      keptInInitContainers: 'Always',
    });
  });
});

describe('lives of fields', () => {
  it.each(['1.31', '1.37'])('are the same at %s', minor => {
    expect(load(minor).fieldLife(podSpec, 'workloadRef')).toMatchObject({ first: '1.35', last: '1.35' });
    expect(load(minor).fieldLife(podSpec, 'resources')).toMatchObject({
      first: '1.32',
      gates: [{ name: 'PodLevelResources' }],
    });
    expect(load(minor).fieldLife(podSpec, 'containers')).toBeUndefined();
    expect(load(minor).fieldLife(container, 'volumeMounts')).toBeUndefined();
  });
});

describe('lives of API versions', () => {
  // Other lists of removed versions have other minors: these are of lifecycles and release notes of upstream.
  it.each([
    ['rbac.authorization.k8s.io/v1alpha1', 'Role', '1.23'],
    ['scheduling.k8s.io/v1alpha1', 'PriorityClass', '1.23'],
    ['flowcontrol.apiserver.k8s.io/v1beta1', 'FlowSchema', '1.26'],
    ['flowcontrol.apiserver.k8s.io/v1beta2', 'PriorityLevelConfiguration', '1.29'],
    ['admissionregistration.k8s.io/v1alpha1', 'ValidatingAdmissionPolicy', '1.32'],
    ['resource.k8s.io/v1alpha3', 'ResourceClaim', '1.34'],
    ['resource.k8s.io/v1beta1', 'ResourceClaim', '1.38'],
    ['storagemigration.k8s.io/v1alpha1', 'StorageVersionMigration', '1.35'],
  ])('say when %s %s is gone', (apiVersion, kind, minor) => {
    const life = load().apiLife(apiVersion, kind);
    expect(life?.gone ?? life?.removed).toBe(minor);
  });

  it('reach back before the supported minors', () => {
    expect(load().apiLife('policy/v1beta1', 'PodDisruptionBudget')).toEqual({
      introduced: '1.5',
      deprecated: '1.21',
      removed: '1.25',
      gone: '1.25',
      replacement: 'policy/v1 PodDisruptionBudget',
      served: {},
    });
    expect(load().apiLife('v1', 'Pod')?.served).toMatchObject({ '1.31': 'on', '1.37': 'on' });
    expect(load().apiLife('v1', 'Spaceship')).toBeUndefined();
  });

  it('say when a version went, whatever was announced', () => {
    const candidate = load().apiLife('coordination.k8s.io/v1alpha1', 'LeaseCandidate');
    expect([candidate?.removed, candidate?.gone]).toEqual(['1.37', '1.32']);
    const workload = load().apiLife('scheduling.k8s.io/v1alpha1', 'Workload');
    expect([workload?.introduced, workload?.gone]).toEqual(['1.35', '1.36']);
    expect(load().apiLife('resource.k8s.io/v1beta1', 'ResourceClaim')?.gone).toBeUndefined();
  });
});
