import { expect, it } from 'vitest';
import { startClient } from '../lsp/client';
import { describeWithEngine } from './withEngine';

const rego = (message: string) => `package main\ndeny contains "${message}" if input.kind == "Pod"\n`;
const pod = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: web, image: web:1 }] }\n';

describeWithEngine('In the editor', policyEngine => {
  const uri = 'file:///ws/pod.yaml';
  const policy = 'file:///ws/policy/p.rego';

  it('policy results appear after evaluation, and again after a change', async () => {
    const client = await startClient({ files: { [policy]: rego('no Pods'), [uri]: pod }, policyEngine });
    client.open(uri, pod);
    const says = (message: string) => (all: readonly { readonly code: string; readonly message: string }[]) =>
      all.some(it => it.code === 'conftest/deny' && it.message === message);
    await client.diagnostics(uri, says('no Pods'));
    client.open(policy, rego('no Pods'));
    client.change(policy, 2, rego('still none'));
    await client.diagnostics(uri, says('still none'));
    client.change(policy, 3, 'package main\ndeny contains x if {\n');
    const [broken] = await client.diagnostics(policy, all => all.length > 0);
    expect(broken?.code).toBe('conftest/rego_parse_error');
    await client.diagnostics(uri, all => all.every(it => it.code !== 'conftest/deny'));
    client.connection.dispose();
  });
});
