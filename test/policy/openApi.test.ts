import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../server/src/analysis/configuration/settings';
import { applyChange, initialState } from '../../server/src/analysis/state/applyChange';
import { customSchemasOf, kindsMatchedBy, openApiOf } from '../../server/src/policy/vap/openApi';
import { definitionOf } from '../support/definition';
import { readPack } from '../support/packs';

const definition = definitionOf(`          properties:
            spec:
              type: object
              properties: { a/b: { type: object, properties: { size: { type: integer } } } }
`);

const GROUP_VERSION_KIND = 'x-kubernetes-group-version-kind';

function publishedFor(custom: 'with the definition' | 'with the facts alone') {
  const world = { readPack };
  const empty = initialState({ ...defaultSettings, kubernetesVersion: '1.37' }, world);
  const [state] = applyChange(empty, { files: [{ uri: 'crd.yaml', text: definition }] }, world).environmentStates();
  if (state === undefined) return expect.unreachable();
  const kinds = kindsMatchedBy([{ groups: ['example.com', 'apps'], resources: ['*'] }], state.kube);
  return openApiOf(kinds, custom === 'with the definition' ? customSchemasOf(state.snapshot, state.kube) : undefined);
}

describe.each(['with the definition', 'with the facts alone'] as const)('the schemas of a custom kind, %s', custom => {
  const { schemas, kinds } = publishedFor(custom);

  it('are one for each kind', () => {
    const named = Object.values(schemas).flatMap(it => (it[GROUP_VERSION_KIND] as readonly object[] | undefined) ?? []);
    expect(new Set(named.map(it => JSON.stringify(it))).size).toBe(named.length);
    expect(kinds).toHaveProperty(['example.com/v1/Gadget']);
  });

  it('refer to schemas that are there, by names without a slash', () => {
    const refs = JSON.stringify(schemas).match(/(?<="\$ref":")[^"]*/g) ?? [];
    const names = refs.map(it => it.slice('#/components/schemas/'.length));
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter(it => it.includes('/') || schemas[it] === undefined)).toEqual([]);
  });
});
