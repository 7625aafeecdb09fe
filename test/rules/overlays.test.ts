import { expect, test } from 'vitest';
import { namelessKeyOf } from '../../server/src/rules/framework/overlays';
import type { Problem } from '../../server/src/rules/framework/problem';

const problem = (name: string, start: number, end: number): Problem => ({
  code: 'vap/replicas',
  category: 'policy',
  severity: 'error',
  uri: 'file:///base/deploy.yaml',
  span: { start, end },
  document: 0,
  fieldPath: 'spec.replicas',
  message: `${name} has two replicas`,
  object: { apiVersion: 'apps/v1', kind: 'Deployment', name },
  related: [],
  fixes: [],
});

// Of what is rendered the key of a field is known, of a source its value, too.
test('a problem of a field is the same in a source and in what is rendered from it', () => {
  const ofSource = namelessKeyOf(problem('web', 60, 71));
  expect(namelessKeyOf(problem('dev-web', 60, 68))).toBe(ofSource);
  expect(namelessKeyOf(problem('dev-web', 90, 98))).not.toBe(ofSource);
});
