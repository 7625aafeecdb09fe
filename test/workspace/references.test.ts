import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../server/src/base/json';
import { FieldPath } from '../../server/src/manifest/fieldPath';
import { parseManifests } from '../../server/src/manifest/parse';
import type { WorkspaceObject } from '../../server/src/workspace/object';
import { definitionsOf, podsSelected } from '../../server/src/workspace/references/definitions';
import { findReferences, type Target, targetsAt } from '../../server/src/workspace/references/references';
import { REFERENCE_BUNDLES } from '../../server/src/workspace/references/table';
import { workspaceObject } from '../../server/src/workspace/snapshot';
import type { Snapshot } from '../../server/src/workspace/workspace';
import { snapshotOf } from '../support/check';

const uri = 'test:///a.yaml';

function only(snapshot: Snapshot, group: string, kind: string): WorkspaceObject {
  const [object] = snapshot.objectsOf(group, kind);
  if (object === undefined) throw new Error(`no ${kind}`);
  return object;
}

function inWords(target: Target): string {
  switch (target.to) {
    case 'object':
      return `${target.kind} ${target.namespace ?? '-'}/${target.name}`;
    case 'part':
      return `${target.what} of ${inWords(target.of)}`;
    case 'partOfAny':
      return `part of a ${target.kind}`;
    case 'local':
      return `${target.what} of ${target.scope}`;
    case 'podPart':
      return `${target.what} of ${inWords(target.pods)}`;
    case 'pods':
      return `Pods of ${target.namespaces}`;
  }
}

const told = (snapshot: Snapshot, object: WorkspaceObject): readonly string[] =>
  snapshot.references.of(object).map(it => `${it.at}${it.isOptional ? '?' : ''} → ${inWords(it.target)}`);

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      priorityClassName: high
      serviceAccountName: web
      schedulerName: packing
      containers:
        - name: web
          image: nginx
          ports: [{name: http, containerPort: 80}]
          livenessProbe: {httpGet: {port: http}}
          readinessProbe: {httpGet: {port: 80}}
          envFrom: [{secretRef: {name: login, optional: true}}]
          env:
            - name: A
              valueFrom: {configMapKeyRef: {name: settings, key: a}}
          volumeMounts: [{name: files, mountPath: /files}]
      volumes:
        - name: files
          projected:
            sources: [{configMap: {name: settings, items: [{key: b, path: b}]}}]
`;

describe('references of an object', () => {
  test('are found in a workload with their namespace, and with what is optional', () => {
    const snapshot = snapshotOf({ [uri]: DEPLOYMENT });
    const prefix = 'spec.template.spec.';
    expect(told(snapshot, only(snapshot, 'apps', 'Deployment')).map(it => it.replaceAll(prefix, ''))).toEqual([
      'priorityClassName → PriorityClass -/high',
      'serviceAccountName → ServiceAccount shop/web',
      'schedulerName → part of a KubeSchedulerConfiguration',
      'containers[0].envFrom[0].secretRef.name? → Secret shop/login',
      'containers[0].env[0].valueFrom.configMapKeyRef.name → ConfigMap shop/settings',
      'containers[0].env[0].valueFrom.configMapKeyRef.key → key of ConfigMap shop/settings',
      'containers[0].volumeMounts[0].name → volume of spec.template.spec',
      'containers[0].livenessProbe.httpGet.port → port of containers[0]',
      'volumes[0].projected.sources[0].configMap.name → ConfigMap shop/settings',
      'volumes[0].projected.sources[0].configMap.items[0].key → key of ConfigMap shop/settings',
    ]);
  });

  test('follow a sibling field', () => {
    const snapshot = snapshotOf({
      [uri]: `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: all}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
subjects:
  - {kind: ServiceAccount, name: web, namespace: shop}
  - {kind: User, name: ada}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  maxReplicas: 3
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
`,
    });
    expect(told(snapshot, only(snapshot, 'rbac.authorization.k8s.io', 'ClusterRoleBinding'))).toEqual([
      'roleRef.name → ClusterRole -/reader',
      'subjects[0].name → ServiceAccount shop/web',
    ]);
    expect(told(snapshot, only(snapshot, 'autoscaling', 'HorizontalPodAutoscaler'))).toEqual([
      'spec.scaleTargetRef.name → Deployment default/web',
    ]);
  });

  test('survive values of every wrong type', () => {
    const wrong = [null, 1, 'text', [], [1], {}, { name: 1 }];
    const thrown: string[] = [];
    for (const { places, rows } of REFERENCE_BUNDLES) {
      const { group, kind, path } = places[0]!;
      const beginnings = rows.flatMap(row => {
        const steps = [...path.split('.'), ...row.at.split('.')].filter(it => it !== '');
        return steps.map((_, i) => steps.slice(0, i + 1).join('.'));
      });
      for (const steps of new Set(beginnings)) {
        for (const value of wrong) {
          const object = written(group, kind, steps.split('.'), value);
          try {
            findReferences(object);
          } catch (error) {
            thrown.push(`${kind} ${steps} ${JSON.stringify(value)}: ${error}`);
          }
        }
      }
    }
    expect(thrown).toEqual([]);
  });
});

/** An object with a value at the end of some steps. */
function written(group: string, kind: string, steps: readonly string[], value: JsonValue): WorkspaceObject {
  const body = steps.reduceRight<JsonValue>((it, step) => {
    return { [step.replace('[]', '')]: step.endsWith('[]') ? [it] : it };
  }, value);
  const apiVersion = group === '' ? 'v1' : `${group}/v1`;
  const [object] = parseManifests(uri, JSON.stringify({ ...(body as JsonObject), apiVersion, kind })).documents[0]!
    .objects;
  return workspaceObject(object!, () => true);
}

describe('definitions and uses', () => {
  const SETTINGS =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\ndata: {a: "1", b: "2"}\n';
  const snapshot = snapshotOf({ [uri]: DEPLOYMENT, 'test:///b.yaml': SETTINGS });
  const object = only(snapshot, 'apps', 'Deployment');

  const definedAt = (end: string): readonly string[] =>
    snapshot.references
      .of(object)
      .filter(it => it.at.toString().endsWith(end))
      .flatMap(reference => definitionsOf(snapshot, { object, reference }))
      .map(it => `${it.object.kind} ${it.at}`);

  test.each([
    ['configMapKeyRef.name', 'ConfigMap metadata.name'],
    ['configMapKeyRef.key', 'ConfigMap data[a]'],
    ['volumeMounts[0].name', 'Deployment spec.template.spec.volumes[0].name'],
    ['livenessProbe.httpGet.port', 'Deployment spec.template.spec.containers[0].ports[0].name'],
  ])('%s is defined at %s', (end, place) => expect(definedAt(end)).toEqual([place]));

  test('uses of an object and of its parts are separate', () => {
    const settings = only(snapshot, '', 'ConfigMap');
    expect(snapshot.references.to(settings).map(it => it.reference.at.segments.at(-1))).toEqual(['name', 'name']);
    expect(snapshot.references.toPartsOf(settings).map(it => it.reference.name)).toEqual(['a', 'b']);
  });

  test.each([3, 500])('of %i names each is found at its place, and a name that is written twice at both', count => {
    const names = Array.from({ length: count }, (_, i) => `v${i}`);
    const volumes = [...names, 'v1'].map(it => `{name: ${it}, emptyDir: {}}`).join(', ');
    const mounts = [...names, 'other'].map(it => `{name: ${it}, mountPath: /${it}}`).join(', ');
    const all = snapshotOf({
      [uri]: `apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {volumes: [${volumes}], containers: [{name: c, volumeMounts: [${mounts}]}]}\n`,
    });
    const pod = only(all, '', 'Pod');
    const places = all.references
      .of(pod)
      .map(reference => definitionsOf(all, { object: pod, reference }).map(it => it.at.toString()));
    expect(places).toEqual([
      ...names.map((it, i) => [`spec.volumes[${i}].name`, ...(it === 'v1' ? [`spec.volumes[${count}].name`] : [])]),
      [],
    ]);
  });

  test('a claim of a StatefulSet comes from its template, in its namespace only', () => {
    const set = (namespace: string): string =>
      `apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, namespace: ${namespace}}\nspec: {volumeClaimTemplates: [{metadata: {name: data}}]}\n`;
    const pod = `apiVersion: v1\nkind: Pod\nmetadata: {name: dump, namespace: shop}\nspec: {volumes: [{name: d, persistentVolumeClaim: {claimName: data-db-0}}]}\n`;
    const found = (namespace: string): readonly string[] => {
      const all = snapshotOf({ [uri]: set(namespace), 'test:///b.yaml': pod });
      const user = only(all, '', 'Pod');
      return all.references
        .of(user)
        .flatMap(reference => definitionsOf(all, { object: user, reference }))
        .map(it => `${it.object.kind} ${it.at}`);
    };
    expect(found('shop')).toEqual(['StatefulSet spec.volumeClaimTemplates[0].metadata.name']);
    expect(found('other')).toEqual([]);
  });

  test('a selector matches Pods by the labels of their template', () => {
    const service =
      'apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n';
    const all = snapshotOf({ [uri]: DEPLOYMENT, 'test:///b.yaml': service });
    const [selector] = all.references.selectors();
    const target = selector?.reference.target;
    expect(target?.to === 'pods' && podsSelected(all, target).map(it => it.name)).toEqual(['web']);
  });

  test('the target kind of a field is known before its name is written', () => {
    const typed = snapshotOf({
      [uri]: DEPLOYMENT.replace('priorityClassName: high', 'priorityClassName:').replace('key: a', 'key: ""'),
    });
    const deployment = only(typed, 'apps', 'Deployment');
    const spec = FieldPath.of('spec', 'template', 'spec');
    expect(targetsAt(deployment, spec.child('priorityClassName')).map(inWords)).toEqual(['PriorityClass -/']);
    const key = spec.child('containers').index(0).child('env').index(0).child('valueFrom', 'configMapKeyRef', 'key');
    expect(targetsAt(deployment, key).map(inWords)).toEqual(['key of ConfigMap shop/settings']);
  });
});
