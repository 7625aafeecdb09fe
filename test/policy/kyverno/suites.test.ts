import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadKube } from '../../../server/src/kube/load';
import { kyvernoSuitesIn, runKyvernoSuite } from '../../../server/src/policy/kyverno/suite/suite';
import { readPack } from '../../support/packs';

const kube = loadKube('1.37', {}, readPack);
const folder = join(import.meta.dirname, 'suites');

describe.each(readdirSync(folder))('suite %s', name => {
  const uri = join(folder, name, 'kyverno-test.yaml');
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  };
  const [suite] = kyvernoSuitesIn(uri, readFileSync(uri, 'utf8'));
  if (suite === undefined) throw new Error(`${uri} holds no suite`);
  const report = runKyvernoSuite(suite, read, kube);

  it('finds its files', () => expect(report.problems).toEqual([]));

  it.each(report.rows)('$policy/$rule: $kind $resource is $expected', row => {
    expect(row).toMatchObject({ verdict: 'passed', statuses: [row.expected] });
  });
});

describe('a suite', () => {
  const files: Readonly<Record<string, string>> = {
    'p.yaml': `
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: p }
spec:
  rules:
    - name: r
      match: { any: [{ resources: { kinds: [ConfigMap] } }] }
      context: [{ name: all, apiCall: { urlPath: /api/v1/namespaces } }]
      validate: { deny: { conditions: { any: [{ key: '{{ all.items }}', operator: Equals, value: [] }] } } }
    - name: s
      match: { any: [{ resources: { kinds: [ConfigMap] } }] }
      validate: { message: No data., pattern: { data: { a: '?*' } } }
`,
    'r.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n',
  };
  const run = (results: string) => {
    const text = `policies: [p.yaml]\nresources: [r.yaml, gone.yaml]\nresults:\n${results}`;
    const [suite] = kyvernoSuitesIn('t.yaml', text);
    return suite && runKyvernoSuite(suite, path => files[path], kube);
  };

  it('says which files are missing, what failed, and what cannot be told', () => {
    const report = run(
      '  - { policy: p, rule: r, kind: ConfigMap, result: pass }\n  - { policy: p, rule: s, kind: ConfigMap, result: pass }',
    );
    expect(report?.problems).toEqual(['gone.yaml is not there']);
    expect(report?.rows).toMatchObject([
      { verdict: 'undecided', statuses: ['undecided'], message: 'context variable all asks for /api/v1/namespaces' },
      { verdict: 'failed', statuses: ['fail'], message: 'validation error: No data. rule s failed at path /data/' },
    ]);
  });
});
