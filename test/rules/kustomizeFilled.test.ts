import { describe, expect, test } from 'vitest';
import { diagnose } from '../support/check';

const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\n';
const deployment =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n  selector: { matchLabels: { app: web } }\n  template:\n    metadata: { labels: { app: web } }\n    spec: { containers: [{ name: web, image: nginx }] }\n';
const reader = (name: string, namespace = 'shop'): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: reader, namespace: ${namespace} }\nspec:\n  containers: [{ name: web, image: nginx, envFrom: [{ configMapRef: { name: ${name} } }] }]\n`;
const service = (env: string): string =>
  `apiVersion: v1\nkind: Service\nmetadata: { name: web, namespace: shop }\nspec: { selector: { app: web, env: ${env} }, ports: [{ port: 80 }] }\n`;

/** The codes for a text outside of an overlay with a prefix, a namespace and a label. */
const codes = (text: string): readonly string[] =>
  diagnose(text, {
    name: 'outside.yaml',
    beside: {
      'base/kustomization.yaml': 'nameSuffix: -v2\nresources: [app.yaml]\n',
      'base/app.yaml': `${settings}---\n${deployment}`,
      'prod/kustomization.yaml':
        'resources: [../base]\nnamespace: shop\nnamePrefix: prod-\nlabels: [{ includeSelectors: true, pairs: { env: prod } }]\n',
    },
  }).map(it => it.code);

describe('what the transformers of a kustomization fill in is there', () => {
  test.each([
    ['the name and the namespace', reader('prod-settings-v2'), []],
    ['the name of the base alone', reader('settings-v2'), []],
    ['another prefix', reader('test-settings-v2'), ['references/config-map-missing']],
    ['another namespace', reader('prod-settings-v2', 'other'), ['references/config-map-missing']],
    ['labels', service('prod'), []],
    ['another label', service('test'), ['references/selector-matches-nothing']],
  ])('%s', (_what, text, expected) => {
    expect(codes(text)).toEqual(expected);
  });
});
