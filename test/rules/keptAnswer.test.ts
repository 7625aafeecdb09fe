import { expect, test } from 'vitest';
import { loadKube } from '../../server/src/kube/load';
import { keptAnswer } from '../../server/src/rules/apiserver/answer';
import { snapshotOf } from '../support/check';
import { readPack } from '../support/packs';

const NEWEST = loadKube('1.37', {}, readPack);

const targetOf = (kind: string) => {
  const [object] = snapshotOf({ 'a.yaml': `apiVersion: v1\nkind: ${kind}\nmetadata: { name: A }\n` }).objectsOf(
    '',
    kind,
  );
  if (object === undefined) throw new Error(`no ${kind}`);
  return { object, value: object.manifest.value, kind: NEWEST.kindOf('v1', kind) };
};

test('the API server is asked once about what makes Pods, by rules and placements', () => {
  const pod = targetOf('Pod');
  expect(keptAnswer(pod, NEWEST)?.errors.length).toBeGreaterThan(1);
  expect(keptAnswer(pod, NEWEST)).toBe(keptAnswer(pod, NEWEST));
});

test('another minor, and another object of the same text, have answers of their own', () => {
  const pod = targetOf('Pod');
  expect(keptAnswer(pod, loadKube('1.33', {}, readPack))).not.toBe(keptAnswer(pod, NEWEST));
  expect(keptAnswer(targetOf('Pod'), NEWEST)).not.toBe(keptAnswer(pod, NEWEST));
});

test('what makes no Pods is not kept', () => {
  const settings = targetOf('ConfigMap');
  expect(keptAnswer(settings, NEWEST)).toEqual(keptAnswer(settings, NEWEST));
  expect(keptAnswer(settings, NEWEST)).not.toBe(keptAnswer(settings, NEWEST));
});
