import { expect, it } from 'vitest';
import { analysisOf } from './analyse';

const workload = (kind: string, spec: string, labels = 'app: web', pod = ''): string => `apiVersion: apps/v1
kind: ${kind}
metadata: {name: web}
spec:
  ${spec}
  template:
    metadata: {labels: {${labels}}}
    spec: {${pod}containers: [{name: main, image: nginx}]}
`;
const selector = 'selector: {matchLabels: {app: web}}';

it.each([
  ['a sound Deployment', workload('Deployment', selector), []],
  [
    'no selector',
    workload('Deployment', 'replicas: 1'),
    ['Required spec.selector', 'Invalid spec.template.metadata.labels'],
  ],
  [
    'a selector that selects other Pods',
    workload('ReplicaSet', selector, 'app: db'),
    ['Invalid spec.template.metadata.labels'],
  ],
  ['negative replicas', workload('Deployment', `replicas: -1\n  ${selector}`), ['Invalid spec.replicas']],
  [
    'an update that can replace nothing',
    workload('Deployment', `strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}\n  ${selector}`),
    ['Invalid spec.strategy.rollingUpdate.maxUnavailable'],
  ],
  [
    'Pods that end in a DaemonSet',
    workload('DaemonSet', selector, 'app: web', 'restartPolicy: OnFailure, '),
    ['NotSupported spec.template.spec.restartPolicy'],
  ],
  [
    'a DaemonSet that may neither take away nor add',
    workload('DaemonSet', `updateStrategy: {rollingUpdate: {maxUnavailable: 0}}\n  ${selector}`),
    ['Required spec.updateStrategy.rollingUpdate.maxUnavailable'],
  ],
  [
    'a StatefulSet whose update strategy names no type',
    workload('StatefulSet', `updateStrategy: {rollingUpdate: {partition: 0}}\n  ${selector}`),
    [],
  ],
  [
    'a StatefulSet with a mount of its claim template',
    workload(
      'StatefulSet',
      `${selector}\n  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]`,
    ).replace('image: nginx', 'image: nginx, volumeMounts: [{name: data, mountPath: /data}]'),
    [],
  ],
  [
    'a StatefulSet with a bad policy',
    workload('StatefulSet', `podManagementPolicy: Random\n  ${selector}`),
    ['Invalid spec.podManagementPolicy'],
  ],
] as const)('the API server on %s', (_, text, wanted) => {
  const uri = 'file:///ws/a.yaml';
  const problems = analysisOf({ [uri]: text }).diagnostics(uri);
  const told = problems.filter(it => it.category === 'apiserver');
  expect(told.map(it => `${it.errorType?.replace('FieldValue', '')} ${it.fieldPath}`).sort()).toEqual(
    [...wanted].sort(),
  );
});
