import { describe, expect, it } from 'vitest';
import { run } from './world';

const fields = Array.from({ length: 30 }, (_, i) => `      unknown${i}: 1\n`).join('');
const files = {
  'pod.yaml': `apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  containers:\n    - name: main\n      image: nginx\n${fields}`,
};
const check = (...args: readonly string[]) => run(['check', '--max-problems', '10', ...args, 'pod.yaml'], files);

describe('berth check --max-problems', () => {
  it('lists so many problems of a code and counts the others', async () => {
    const { problems, summary } = JSON.parse((await check('--format', 'json')).out);
    expect(problems.map((it: { fieldPath: string }) => it.fieldPath)).toEqual(
      Array.from({ length: 10 }, (_, i) => `spec.containers[0].unknown${i}`),
    );
    expect(problems.map((it: { more?: number }) => it.more)).toEqual([...Array(9).fill(undefined), 20]);
    expect(summary).toMatchObject({ errors: 30 });
  });

  it('says in text, SARIF and annotations how many are not listed', async () => {
    const { out } = await check();
    expect(out.match(/^pod\.yaml:/gm)).toHaveLength(10);
    expect(out).toContain('  and 20 more: decode/unknown-field in pod.yaml\n');
    expect(out).toContain('30 errors');
    expect((await check('--format', 'github')).out).toContain('(and 20 more in this file)');
    expect((await check('--format', 'sarif')).out).toContain('(and 20 more in this file)');
  });

  it('refuses what is no number', async () => {
    const { code, err } = await run(['check', '--max-problems', 'all', 'pod.yaml'], files);
    expect([code, err]).toEqual([2, 'berth: --max-problems "all" must be a whole number from 1.\n']);
  });
});
