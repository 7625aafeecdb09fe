import { describe, expect, it } from 'vitest';
import { run } from './world';

const HEADLINE = '"containerPort" must be from 1 to 65535; it is 99999';
const DETAIL =
  'spec.containers[0].ports[0].containerPort: Invalid value: 99999: must be between 1 and 65535, inclusive';
const files = {
  'pod.yaml': `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers:
    - { name: web, image: nginx:1.27, ports: [{ containerPort: 99999 }] }
`,
};
const check = (...args: readonly string[]) => run(['check', ...args, 'pod.yaml'], files);

describe('berth check says in two layers', () => {
  it('the headline alone, with --verbose also the words of the API server', async () => {
    expect((await check()).out).toContain(`${HEADLINE}\n`);
    expect((await check()).out).not.toContain(DETAIL);
    expect((await check('--verbose')).out).toContain(`${HEADLINE}\n  more ${DETAIL}\n`);
  });

  it('both in JSON, beside the whole message', async () => {
    const [problem] = JSON.parse((await check('--format', 'json')).out).problems;
    expect(problem).toMatchObject({ message: `${HEADLINE} — ${DETAIL}`, headline: HEADLINE, detail: DETAIL });
  });

  it('in SARIF and in annotations as lines of one message', async () => {
    const [result] = JSON.parse((await check('--format', 'sarif')).out).runs[0].results;
    expect(result.message.text).toBe(`${HEADLINE}\n${DETAIL}`);
    expect((await check('--format', 'github')).out).toContain(`::${HEADLINE}%0A${DETAIL}\n`);
  });
});
