import { describe, expect, test } from 'vitest';
import { parseManifests } from '../../server/src/manifest/parse';
import { isPlaceholder, isTemplateSource } from '../../server/src/manifest/templates';
import { fileRolesOf } from '../../server/src/workspace/fileRoles';

const parsed = (texts: Readonly<Record<string, string>>) =>
  new Map(Object.entries(texts).map(([uri, text]) => [uri, parseManifests(uri, text)]));

const POD = 'apiVersion: v1\nkind: Pod\n';

test('files of a chart have Helm’s roles, also in nested charts', () => {
  const files = parsed({
    'web/Chart.yaml': 'name: web\n',
    'web/values.yaml': 'a: 1\n',
    'web/values-prod.yaml': 'a: 1\n',
    'web/values.schema.json': '{}',
    'web/ci/small.yaml': 'a: 1\n',
    'web/templates/pod.yaml': POD,
    'web/crds/crd.yaml': 'kind: CustomResourceDefinition\n',
    'web/charts/db/Chart.yaml': 'name: db\n',
    'web/charts/db/templates/x.yaml': POD,
    'web/files/dashboard.yaml': 'a: 1\n',
    'web/example.yaml': POD,
    'templates/pod.yaml': POD,
    'values.yaml': 'kind: Pod\n',
  });
  const roles = fileRolesOf(files);
  expect([...files.values()].map(it => `${it.uri}: ${roles.of(it)}`)).toEqual([
    'web/Chart.yaml: settings',
    'web/values.yaml: settings',
    'web/values-prod.yaml: settings',
    'web/values.schema.json: settings',
    'web/ci/small.yaml: settings',
    'web/templates/pod.yaml: template',
    'web/crds/crd.yaml: objects',
    'web/charts/db/Chart.yaml: settings',
    'web/charts/db/templates/x.yaml: template',
    'web/files/dashboard.yaml: settings',
    'web/example.yaml: objects',
    'templates/pod.yaml: objects',
    'values.yaml: objects',
  ]);
});

test('a chart at the root contains the files beside it', () => {
  const files = parsed({ 'Chart.yaml': 'name: x\n', 'templates/a.yaml': POD });
  expect(fileRolesOf(files).of(files.get('templates/a.yaml')!)).toBe('template');
});

test('roles are reused until the folders change their meaning', () => {
  const before = parsed({ 'a/Chart.yaml': 'name: x\n', 'a/templates/p.yaml': POD });
  const roles = fileRolesOf(before);
  expect(fileRolesOf(parsed({ 'a/Chart.yaml': 'name: y\n', 'a/templates/p.yaml': 'kind: Job\n' }), roles)).toBe(roles);
  expect(fileRolesOf(parsed({ 'a/templates/p.yaml': POD }), roles)).not.toBe(roles);
});

describe('the source of a template', () => {
  test.each([
    ['a value of a Go template', 'kind: Pod\nmetadata:\n  name: {{ .Name }}\n'],
    ['a line of a Go template', 'kind: Pod\n{{- if .Values.on }}\nmetadata: {}\n{{- end }}\n'],
    ['a line of Jinja', '{% if on %}\nkind: Pod\n{% endif %}\n'],
    ['variables inside braces', `kind: Pod\nmetadata: {name: \${NAME}}\n`],
    ['code of ytt', '#@ load("@ytt:data", "data")\nkind: Pod\n'],
    ['a value of ytt', 'kind: Pod\nmetadata:\n  name: #@ data.values.name\n'],
  ])('%s', (_name, text) => {
    expect(isTemplateSource(parseManifests('a.yaml', text))).toBe(true);
  });

  test.each([
    ['a template inside a text', 'kind: ConfigMap\ndata:\n  a: |\n    {{ range . }}\n    #@ x\n    {{ end }}\n'],
    ['a quoted placeholder', 'kind: Workflow\nspec: { image: "{{inputs.image}}" }\n'],
    ['a setter of kpt', `kind: Pod\nmetadata:\n  name: web # kpt-set: \${name}\n`],
    ['a mistake elsewhere', 'kind: ConfigMap\ndata:\n  a: "{{ x }}"\n  c: d\n  e: f\n bad\n'],
  ])('is not %s', (_name, text) => {
    expect(isTemplateSource(parseManifests('a.yaml', text))).toBe(false);
  });
});

test.each([
  [`\${REPLICAS}`, true],
  [`app-\${ENV:-dev}`, true],
  ['$NAME', true],
  ['{{ .Values.x }}', true],
  ['$(NODE_NAME)', false],
  ['costs $5', false],
])('%s is filled in by another tool: %s', (text, expected) => {
  expect(isPlaceholder(text)).toBe(expected);
});
