import { expect, it } from 'vitest';
import { pathOfExpression } from '../../../server/src/policy/kyverno/cel/celRule';
import type { Resource } from '../../../server/src/policy/kyverno/resource/resource';

it('a failure is shown at the field of a variable that is read by its very name, whatever characters other names have', () => {
  const value = { metadata: { name: 'web', labels: { owner: 'shop' } } };
  const definitions = [
    { name: '(', expression: 'object.metadata.name' },
    { name: '(a+)+$', expression: 'object.metadata.name' },
    { name: 'own.r', expression: 'object.metadata.name' },
    { name: 'owner', expression: 'object.metadata.labels' },
  ];
  const at = (expression: string) => pathOfExpression(expression, definitions, { value } as unknown as Resource);
  expect(at(`variables.owner == 'variables.${'a'.repeat(60)}!'`).toString()).toBe('metadata.labels');
});
