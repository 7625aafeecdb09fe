import { expect, it } from 'vitest';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { readPack } from '../support/packs';
import { throwBug } from '../support/throwBug';
import { describeWithEngine } from './withEngine';

const REGO = 'package main\n\nwarn contains "no labels" if not input.metadata.labels\n';
const WEB = 'file:///ws/apps/web.yaml';

describeWithEngine('Policies that are moved', engine => {
  it('are told of at once for the files that they no longer judge', async () => {
    const host = createAnalysisHost({
      readPack,
      policyEngine: engine,
      onBug: throwBug,
    });
    const web = { uri: WEB, text: 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\n' };
    const codes = (): readonly string[] =>
      host
        .analysis()
        .diagnostics(WEB)
        .map(({ code }) => code)
        .filter(code => code.startsWith('conftest/'));
    host.apply({ files: [web, { uri: 'file:///ws/policy/rules.rego', text: REGO }] });
    for await (const _ of host.evaluatePolicies([]));
    expect(codes()).toEqual(['conftest/warn']);

    host.apply({
      files: [
        { uri: 'file:///ws/policy/rules.rego', text: undefined },
        { uri: 'file:///ws/other/policy/rules.rego', text: REGO },
      ],
    });
    /** What an editor shows that looks when it is told to. */
    let shown = codes();
    for await (const { uris } of host.evaluatePolicies([])) if (uris.includes(WEB)) shown = codes();
    expect(shown).toEqual([]);
  });
});
