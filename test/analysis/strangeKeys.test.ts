import { expect, it } from 'vitest';
import { analysisOf } from './analyse';

it('accepts an object whose apiVersion holds a key toString', () => {
  const analysis = analysisOf({ 'a.yaml': 'apiVersion: { toString: null }\nkind: Node\nmetadata: { name: a }\n' });
  analysis.clusterView();
  expect(analysis.diagnostics('a.yaml').length).toBeGreaterThan(0);
});
