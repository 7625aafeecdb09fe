import { expect, it } from 'vitest';
import { readSystem } from '../../server/src/explore/system/read';
import { usesIn } from '../../server/src/explore/system/uses';
import { parseManifests } from '../../server/src/manifest/parse';
import { systemOf } from './support';

// In quadratic time this takes minutes.
it('finds the uses of names in 10,000 steps', () => {
  const count = 10_000;
  const steps = Array.from(
    { length: count },
    (_, k) => `{ name: s${k}, from: l${k}, to: l${k + 1}, when: "at(p, l${k})" }`,
  );
  const text = systemOf(
    `processes: [{ name: p, start: l0, steps: [${steps.join(', ')}] }]\nproperties: [{ name: any, progress: [s0, s9] }]`,
  );
  const uses = usesIn(readSystem(parseManifests('system.yaml', text)).document);
  // A step names two locations, and its process and a location in its condition.
  expect(uses).toHaveLength(4 * count + 3);
});
