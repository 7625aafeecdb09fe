import { expect, it } from 'vitest';
import { startClient } from '../lsp/client';
import { describeWithEngine } from './withEngine';

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\n';
const POD = 'file:///ws/my%20app/pod.yaml';
const REGO = 'file:///ws/my%20app/policy/p.rego';
const TOML = 'file:///ws/my%20app/conftest.toml';

describeWithEngine('Conftest in the editor', engine => {
  const start = (files: Readonly<Record<string, string>>) =>
    startClient({ files, policyEngine: engine, isTrusted: true });
  const has = (code: string) => (all: readonly { readonly code: string }[]) => all.some(it => it.code === code);

  it('reports Rego that does not parse while it is written, and the results once it does', async () => {
    const good = 'package main\n\ndeny contains "no Pods" if input.kind == "Pod"\n';
    const client = await start({ [POD]: pod, [REGO]: good });
    client.open(POD, pod);
    client.open(REGO, good);
    await client.diagnostics(POD, has('conftest/deny'));
    client.change(REGO, 2, good.replace('if input', 'if { input'));
    const broken = await client.diagnostics(REGO, has('conftest/rego_parse_error'));
    expect(broken.map(it => it.range.start.line)).toContain(2);
    await client.diagnostics(POD, all => !has('conftest/deny')(all));
    client.change(REGO, 3, good.replace('"no Pods"', '"none"'));
    await client.diagnostics(REGO, all => all.length === 0);
    const [again] = (await client.diagnostics(POD, has('conftest/deny'))).filter(it => it.code === 'conftest/deny');
    expect(again?.message).toContain('none');
    client.connection.dispose();
  });

  it('reports problems in an open conftest.toml, and reads files beside the Rego by their uris', async () => {
    const policy = 'package main\n\nwarn contains x if { x := parse_config_file("../more.yaml").word }\n';
    const files = {
      [POD]: pod,
      [REGO]: policy,
      'file:///ws/my%20app/more.yaml': 'word: read\n',
      [TOML]: 'combine = false\n',
    };
    const client = await start(files);
    client.open(POD, pod);
    client.open(TOML, 'combine = false\n');
    const [warning] = (await client.diagnostics(POD, has('conftest/warn'))).filter(it => it.code === 'conftest/warn');
    expect(warning?.message).toContain('read');
    client.change(TOML, 2, 'combine = flase\n');
    const [wrong] = await client.diagnostics(TOML, has('conftest/configuration'));
    expect(wrong?.range.start).toEqual({ line: 0, character: 10 });
    client.connection.dispose();
  });
});
