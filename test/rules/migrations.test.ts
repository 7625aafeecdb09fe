import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../server/src/text/span';
import { diagnose, type World } from '../support/check';

const folder = join(import.meta.dirname, '../fixtures/migrations');
const fixtures = readdirSync(folder)
  .filter(it => it.endsWith('.yaml'))
  .sort();

/** Each file holds old objects, then `# becomes`, then the same objects as the fix writes them. */
function partsOf(name: string): { readonly old: string; readonly wanted: string; readonly world: World } {
  const text = readFileSync(join(folder, name), 'utf8');
  const minor = /^# minor: (.*)$/m.exec(text)?.[1];
  const [old = '', wanted = ''] = text.replace(/^# minor: .*\n/m, '').split('# becomes\n');
  return { old, wanted, world: minor === undefined ? {} : { minor } };
}

const headOf = ({ minor }: World): string => (minor === undefined ? '' : `# minor: ${minor}\n`);

function migrated(text: string, world: World): string {
  const edits = diagnose(text, world).flatMap(
    it => it.fixes.find(fix => fix.title.startsWith('Change apiVersion'))?.edits ?? [],
  );
  return applyEdits(text, edits);
}

describe('objects of API versions that are gone become objects of the versions that follow', () => {
  test.each(fixtures)('%s', name => {
    const { old, wanted, world } = partsOf(name);
    expect(diagnose(old, world).map(it => it.code)).toContain('decode/unknown-kind');
    const now = migrated(old, world);
    if (process.env.UPDATE === '1') writeFileSync(join(folder, name), `${headOf(world)}${old}# becomes\n${now}`);
    expect(now).toBe(process.env.UPDATE === '1' ? now : wanted);
    expect(diagnose(now, world).filter(it => it.severity === 'error')).toEqual([]);
  });
});

/** Titles of the fixes that change the object. */
const changesIn = (problem: ReturnType<typeof diagnose>[number] | undefined): readonly string[] | undefined =>
  problem?.fixes.flatMap(it => (it.title.startsWith('Change') ? [it.title] : []));

test.each([
  [
    'resource.k8s.io/v1alpha2',
    'ResourceClaim',
    '1.37',
    'resource.k8s.io/v1 ResourceClaim (to be written anew: its requests',
  ],
  [
    'certificates.k8s.io/v1alpha1',
    'PodCertificateRequest',
    '1.37',
    'certificates.k8s.io/v1 PodCertificateRequest (to be',
  ],
])('%s %s has fields that cannot be moved at %s: there is no fix', (apiVersion, kind, minor, words) => {
  const [problem] = diagnose(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a }\n`, { minor });
  expect(problem?.message).toContain(words);
  expect(changesIn(problem)).toEqual([]);
});

test('fields are moved where the version between has them', () => {
  const text = 'apiVersion: certificates.k8s.io/v1alpha1\nkind: PodCertificateRequest\nmetadata: { name: a }\n';
  const [problem] = diagnose(text, { minor: '1.36' });
  expect(changesIn(problem)).toEqual(['Change apiVersion to certificates.k8s.io/v1beta1']);
});

/** API version, kinds, and what is to be used in their place. */
const GONE: readonly (readonly [string, string, string])[] = [
  ['extensions/v1beta1', 'Deployment DaemonSet ReplicaSet', 'apps/v1'],
  ['apps/v1beta1', 'Deployment StatefulSet ReplicaSet ControllerRevision', 'apps/v1'],
  ['apps/v1beta2', 'Deployment StatefulSet DaemonSet ReplicaSet ControllerRevision', 'apps/v1'],
  ['extensions/v1beta1', 'NetworkPolicy Ingress', 'networking.k8s.io/v1'],
  ['networking.k8s.io/v1beta1', 'Ingress IngressClass', 'networking.k8s.io/v1'],
  ['extensions/v1beta1', 'PodSecurityPolicy', 'Pod Security'],
  ['policy/v1beta1', 'PodSecurityPolicy', 'Pod Security'],
  ['policy/v1beta1', 'PodDisruptionBudget PodDisruptionBudgetList Eviction', 'policy/v1'],
  ['scheduling.k8s.io/v1alpha1', 'PriorityClass', 'scheduling.k8s.io/v1'],
  ['scheduling.k8s.io/v1beta1', 'PriorityClass', 'scheduling.k8s.io/v1'],
  ['apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition', 'apiextensions.k8s.io/v1'],
  [
    'admissionregistration.k8s.io/v1beta1',
    'MutatingWebhookConfiguration ValidatingWebhookConfiguration ValidatingAdmissionPolicy',
    'admissionregistration.k8s.io/v1',
  ],
  ...['v1alpha1', 'v1beta1'].map(
    version =>
      [
        `rbac.authorization.k8s.io/${version}`,
        'Role RoleList RoleBinding RoleBindingList ClusterRole ClusterRoleList ClusterRoleBinding ClusterRoleBindingList',
        'rbac.authorization.k8s.io/v1',
      ] as const,
  ),
  ['node.k8s.io/v1alpha1', 'RuntimeClass', 'node.k8s.io/v1'],
  ['node.k8s.io/v1beta1', 'RuntimeClass', 'node.k8s.io/v1'],
  ['autoscaling/v2beta1', 'HorizontalPodAutoscaler HorizontalPodAutoscalerList', 'autoscaling/v2'],
  ['autoscaling/v2beta2', 'HorizontalPodAutoscaler HorizontalPodAutoscalerList', 'autoscaling/v2'],
  ['batch/v1beta1', 'CronJob CronJobList', 'batch/v1'],
  ['batch/v2alpha1', 'CronJob', 'batch/v1'],
  ['storage.k8s.io/v1beta1', 'CSINode CSIDriver CSIStorageCapacity StorageClass VolumeAttachment', 'storage.k8s.io/v1'],
  ['apiregistration.k8s.io/v1beta1', 'APIService', 'apiregistration.k8s.io/v1'],
  ['authentication.k8s.io/v1beta1', 'TokenReview', 'authentication.k8s.io/v1'],
  ['certificates.k8s.io/v1beta1', 'CertificateSigningRequest', 'certificates.k8s.io/v1'],
  ['coordination.k8s.io/v1beta1', 'Lease', 'coordination.k8s.io/v1'],
  ['events.k8s.io/v1beta1', 'Event', 'events.k8s.io/v1'],
  ['discovery.k8s.io/v1beta1', 'EndpointSlice', 'discovery.k8s.io/v1'],
  ...['v1alpha1', 'v1beta1', 'v1beta2', 'v1beta3'].map(
    version =>
      [
        `flowcontrol.apiserver.k8s.io/${version}`,
        'FlowSchema PriorityLevelConfiguration',
        'flowcontrol.apiserver.k8s.io/v1',
      ] as const,
  ),
  ['resource.k8s.io/v1alpha2', 'ResourceClaim ResourceClaimTemplate ResourceClass', 'resource.k8s.io/v1'],
  ['settings.k8s.io/v1alpha1', 'PodPreset', 'MutatingAdmissionPolicy'],
  ['audit.k8s.io/v1beta1', 'Policy PolicyList', 'which has the same fields'],
];

describe('an API version that is gone', () => {
  test.each(GONE.flatMap(([version, kinds, instead]) => kinds.split(' ').map(kind => [version, kind, instead])))(
    '%s %s is replaced by %s',
    (apiVersion, kind, instead) => {
      const [problem] = diagnose(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a }\n`);
      expect(problem?.code).toBe('decode/unknown-kind');
      // apps/v1beta1 never had a ReplicaSet, so that nothing was removed.
      if (apiVersion !== 'apps/v1beta1' || kind !== 'ReplicaSet') expect(problem?.message).toContain('was removed in');
      expect(`${problem?.message} `).toContain(
        instead.includes('/') ? `${instead} ${kind}`.replace(/ (ResourceClass|ReplicaSet)$/, ' ') : instead,
      );
    },
  );
});
