import { expect, it } from 'vitest';
import { policyTimes } from '../bench/policies';
import { readPack } from '../support/packs';
import { describeWithEngine } from './withEngine';

describeWithEngine('What the benchmark of policies measures', engine => {
  it('edits a Pod to which policies of every kind apply', async () => {
    const { edits, told: reported } = await policyTimes(engine, readPack, 2, { policies: 8, pods: 4 });
    expect(edits).toHaveLength(2);
    // One policy of each engine rejects the old image.
    expect(reported).toBe(3);
  });
});
