import { describe, expect, test } from 'vitest';
import { guessedResource } from '../../server/src/kube/guessedResource';
import { supportedMinors } from '../../server/src/kube/load';
import { FieldPath } from '../../server/src/manifest/fieldPath';
import { resourceNames } from '../../server/src/rules/reading/apiNames';
import { coverage, type GroupedNames } from '../../server/src/rules/reading/groupedNames';
import { analysisOf } from '../analysis/analyse';
import { diagnose } from '../support/check';
import { kubeFacts } from '../support/packs';

const CODE = 'references/resource-missing';

type Row = readonly [groups: readonly string[], resources: readonly string[]];

const roleOf = (...rules: readonly Row[]): string =>
  JSON.stringify({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'all' },
    rules: rules.map(([apiGroups, resources]) => ({ apiGroups, resources, verbs: ['get'] })),
  });

const said = (text: string, minor?: string): readonly string[] =>
  diagnose(text, minor === undefined ? {} : { minor }).flatMap(it => (it.code === CODE ? it.message : []));

describe('resources that a role names', () => {
  test.each(supportedMinors)('those of all minors are known in %s', minor => {
    const all = supportedMinors.flatMap(it => kubeFacts(it).api());
    expect(said(roleOf(...all.map((it): Row => [[it.group], [it.resource]])), minor)).toEqual([]);
  });

  test('a name that a later minor has is left alone, one that it no longer has is not', () => {
    const role = roleOf([['resource.k8s.io'], ['devicetaintrules', 'deviceclass']]);
    expect(said(role, '1.31')).toEqual([expect.stringContaining('"deviceclass"')]);
    const old = roleOf([['resource.k8s.io'], ['podschedulingcontexts']], [['extensions'], ['ingresses']]);
    expect(said(old)).toEqual([expect.stringContaining('Kubernetes 1.37 no longer has "ingresses"')]);
  });

  test.each(supportedMinors)('a resource of another minor is called as Kubernetes %s calls its own', minor => {
    const wrong = kubeFacts(minor)
      .api()
      .filter(it => guessedResource(it.kind) !== it.resource);
    expect(wrong).toEqual([]);
  });

  test('of a group that the manifests define, another word for a resource is told, and no unknown one', () => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'orders.shop.example.com' },
      spec: {
        group: 'shop.example.com',
        names: { kind: 'Order', plural: 'orders', singular: 'order', listKind: 'OrderList' },
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
    const role = roleOf([['shop.example.com'], ['Order', 'orders', 'invoice', 'Invoice']], [['apps'], ['order']]);
    const analysis = analysisOf({ 'role.json': role, 'crd.json': JSON.stringify(definition) });
    const told = analysis.diagnostics('role.json').flatMap(it => (it.code === CODE ? it.message : []));
    expect(told).toEqual([
      'API group "shop.example.com" has no resource "Order", so this gives no right; did you mean "orders"?',
      'API group "apps" has no resource "order", so this gives no right; did you mean "orders" of API group "shop.example.com"?',
    ]);
    const alone = analysisOf({ 'role.json': role }).diagnostics('role.json');
    expect(alone.filter(it => it.code === CODE).map(it => it.message)).toEqual([
      'API group "apps" has no resource "order", so this gives no right',
    ]);
  });

  test('each list is looked at once, however many names are asked about', () => {
    let reads = 0;
    const list: GroupedNames = {
      get groups() {
        reads += 1;
        return ['apps'];
      },
      groupsAt: FieldPath.root,
      names: ['*'],
      namesAt: FieldPath.root,
      use: 'rights',
    };
    const isCovered = coverage(
      Array.from({ length: 100 }, () => list),
      resourceNames(kubeFacts()),
    );
    const ingresses = { group: 'networking.k8s.io', version: 'v1', name: 'ingresses' };
    for (let i = 0; i < 100; i++) expect(isCovered('rights', ingresses, `/part${i}`)).toBe(false);
    expect(isCovered('rights', { ...ingresses, group: 'apps' }, '')).toBe(true);
    expect(reads).toBe(100);
  });
});
