import { describe, expect, it } from 'vitest';
import { run } from './world';

const files = {
  'policy/p.rego': 'package main\ndeny contains "no" if input.kind == "Pod"\n',
  'pod.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: web, image: web:1 }] }\n',
};

describe('policies, in a build without their engine', () => {
  it('are named once, and everything else is checked', async () => {
    const { code, err, out } = await run(['check', '.', '--format', 'json'], files);
    expect(err.trim()).toBe(
      'berth: The policies here (conftest) are not evaluated: this build has no policy engine. Build it with Go 1.26 or newer: npm run build.',
    );
    expect(code).toBe(0);
    expect(JSON.parse(out).summary.files).toBe(2);
  });

  it('are not mentioned where there are none, or where nobody asks for them', async () => {
    const { 'pod.yaml': pod } = files;
    expect((await run(['check', '.'], { 'pod.yaml': pod })).err).toBe('');
    expect((await run(['check', '.', '--only', 'apiserver'], files)).err).toBe('');
  });

  it('cannot be tested', async () => {
    const { code, err, out } = await run(['policy', 'test', '--format', 'json'], files);
    expect(code).toBe(2);
    expect(err).toContain('This build has no policy engine');
    expect(JSON.parse(out)).toMatchObject({ contract: 1, suites: [], error: expect.any(String) });
  });
});

it('a code of a policy is explained by where it comes from', async () => {
  const { code, out } = await run(['explain', 'vap/replicas']);
  expect(code).toBe(0);
  expect(out).toContain('ValidatingAdmissionPolicy');
});
