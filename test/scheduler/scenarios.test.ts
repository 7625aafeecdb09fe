import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runScenario } from '../../server/src/scheduler/scenario';
import { isGateOn, objectsIn, verdictTable } from './support';

/** Each scenario file has its verdict table beside it. `UPDATE=1` rewrites the tables; read the difference. */
const folder = join(import.meta.dirname, 'scenarios');

describe('scenarios', () => {
  for (const file of readdirSync(folder).filter(it => it.endsWith('.yaml'))) {
    test(file, () => {
      const objects = objectsIn(readFileSync(join(folder, file), 'utf8'));
      const found = verdictTable(runScenario(objects, { kubernetesVersion: '1.37', isGateOn }));
      const path = join(folder, file.replace(/\.yaml$/, '.txt'));
      if (process.env.UPDATE === '1') writeFileSync(path, found);
      expect(existsSync(path), `${path} is missing: run with UPDATE=1`).toBe(true);
      expect(found).toBe(readFileSync(path, 'utf8'));
    });
  }
});
