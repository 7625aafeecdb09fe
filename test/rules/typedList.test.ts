import { expect, test } from 'vitest';
import { diagnose, editing } from '../support/check';

const list = (kind: string, items: string) =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: ${kind}\nitems:\n${items}`;
const told = (text: string, world = {}) =>
  diagnose(text, world).map(it => `${it.item} ${it.object?.kind} ${it.code} ${text.slice(it.span.start, it.span.end)}`);

const bare = '  - metadata: { name: a, namespace: b }\n    ruls: []\n';
const written = `  - apiVersion: v1\n    kind: Pod\n    metadata: { name: a, namespace: b }\n    spek: {}\n`;

test('items of a list of one kind have that kind where they have none, as kubectl reads them', () => {
  expect(told(list('RoleList', bare))).toEqual(['0 Role decode/unknown-field ruls']);
  expect(told(list('RoleList', bare + written))).toEqual([
    '0 Role decode/unknown-field ruls',
    '1 Pod apiserver/required Pod',
    '1 Pod decode/unknown-field spek',
  ]);
});

test('equal items of lists of other kinds are judged apart', () => {
  const item =
    '  - metadata: { name: a, namespace: b }\n    roleRef: { kind: Role, name: a, apiGroup: rbac.authorization.k8s.io }\n';
  const both = `${list('RoleBindingList', item)}---\n${list('RoleList', item)}`;
  expect(told(both)).toEqual(['0 Role decode/unknown-field roleRef']);
});

test('items with a version or a kind, and those of a plain List, keep what they say', () => {
  expect(told(list('RoleList', '  - kind: Role\n    ruls: []\n    metadata: { name: a }\n'))).toEqual([
    '0 Role decode/no-kind Role',
  ]);
  expect(told('apiVersion: v1\nkind: List\nitems:\n  - metadata: { name: a }\n    ruls: []\n')).toEqual([]);
});

test('an item that loses its kind while it is edited becomes one of the list', () => {
  const before = list(
    'RoleList',
    `  - apiVersion: v1\n    kind: Pod\n    metadata: { name: a, namespace: b }\n    ruls: []\n`,
  );
  const after = list('RoleList', bare);
  expect(told(after, editing(before, {}))).toEqual(['0 Role decode/unknown-field ruls']);
});
