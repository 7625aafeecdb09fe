import { describe, expect, it } from 'vitest';
import type { Analysis } from '../../server/src/analysis/analysis';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { iterateToEnd } from '../../server/src/base/asyncIterables';
import { analysisOf } from '../analysis/analyse';
import { startClient } from '../lsp/client';
import { readPack } from '../support/packs';
import { engineThatIsNotBuilt } from '../support/policyEngine';
import { describeWithEngine, evaluated } from './withEngine';

const kyverno = (kind: string, action = 'Enforce') => `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: labels }
spec:
  rules:
    - name: team
      match: { any: [{ resources: { kinds: [${kind}] } }] }
      validate:
        failureAction: ${action}
        message: a team is needed
        pattern: { metadata: { labels: { team: "?*" } } }
    - name: tier
      match: { any: [{ resources: { kinds: [${kind}] } }] }
      validate:
        failureAction: Audit
        message: a tier is needed
        pattern: { metadata: { labels: { tier: "?*" } } }
`;

const secret = (name: string, labels = '') =>
  `---\napiVersion: v1\nkind: Secret\nmetadata: { name: ${name}, labels: { ${labels} } }\n`;

const secrets = secret('a', 'team: x, tier: gold') + secret('b', 'team: x') + secret('c');

const lensesOf = (analysis: Analysis, uri: string): readonly string[] => {
  const text = analysis.text(uri) ?? '';
  return analysis
    .codeLenses(uri)
    .map(({ span, title }) => `${text.slice(span.start, span.end).split(/[\n:]/)[0]}: ${title}`);
};

const opened = (analysis: Analysis, at: Parameters<Analysis['policyLocations']>[0]): readonly string[] =>
  analysis.policyLocations(at).map(it => `${it.uri}: ${analysis.text(it.uri)?.slice(it.span.start, it.span.end)}`);

describe('Over a policy of Kyverno', () => {
  it('the lens counts objects by their worst result, and the lenses of rules by theirs', async () => {
    const files = { 'policy.yaml': kyverno('Secret'), 'secrets.yaml': secrets };
    const { host } = await evaluated(engineThatIsNotBuilt(), files);
    const analysis = host.analysis();
    expect(lensesOf(analysis, 'policy.yaml')).toEqual([
      'apiVersion: rejects 1, warns of 1 of 3 objects',
      'name: rejects 1 of 3 objects',
      'name: warns of 2 of 3 objects',
    ]);
    const offset = kyverno('Secret').indexOf('spec');
    expect(opened(analysis, { uri: 'policy.yaml', offset, rule: 'spec.rules[0]' })).toHaveLength(1);
    expect(opened(analysis, { uri: 'policy.yaml', offset })).toHaveLength(2);
  });

  it('says that all objects pass, and opens them', async () => {
    const files = { 'policy.yaml': kyverno('Secret'), 'secrets.yaml': secret('a', 'team: x, tier: gold') };
    const { host } = await evaluated(engineThatIsNotBuilt(), files);
    expect(lensesOf(host.analysis(), 'policy.yaml')).toEqual(['apiVersion: selects 1 object, rejects none']);
    expect(opened(host.analysis(), { uri: 'policy.yaml', offset: 0 })).toEqual(['secrets.yaml: Secret']);
  });

  it('shows nothing before evaluation, and nothing over other objects', async () => {
    const files = { 'policy.yaml': kyverno('Secret'), 'secrets.yaml': secrets };
    const { host } = await evaluated(engineThatIsNotBuilt(), files);
    expect(lensesOf(host.analysis(), 'secrets.yaml')).toEqual([]);
    host.apply({ files: [{ uri: 'policy.yaml', text: kyverno('ConfigMap') }] });
    expect(lensesOf(host.analysis(), 'policy.yaml')).toEqual([]);
  });

  it('an editor gets a command that opens the objects', async () => {
    const [policy, objects] = ['file:///ws/policy.yaml', 'file:///ws/secrets.yaml'];
    const files = { [policy]: kyverno('Secret'), [objects]: secrets };
    const client = await startClient({ files, policyEngine: engineThatIsNotBuilt() });
    const lenses = (): Promise<{ command: { command: string; arguments: unknown[] } }[]> =>
      client.connection.sendRequest('textDocument/codeLens', { textDocument: { uri: policy } });
    const refreshed = new Promise<void>(resolve => {
      client.connection.onRequest('workspace/codeLens/refresh', () => {
        void lenses().then(all => all.length > 0 && resolve());
        return null;
      });
    });
    client.open(objects, secrets);
    await refreshed;
    await client.diagnostics(objects, all => all.filter(it => it.code === 'kyverno/labels').length >= 3);
    const [lens] = await lenses();
    expect(lens?.command).toMatchObject({ command: 'berth.showPolicyPlaces' });
    const places = await client.connection.sendRequest('berth/policyPlaces', lens?.command.arguments[0]);
    expect(places).toMatchObject([
      { uri: objects, range: { start: { line: 7 } } },
      { uri: objects, range: { start: { line: 11 } } },
    ]);
    client.connection.dispose();
  });
});

const hoverAt = (analysis: Analysis, uri: string, word: string): string => {
  const offset = (analysis.text(uri) ?? '').indexOf(word);
  return analysis.hover(uri, offset)?.markdown ?? '';
};

describe('At what a policy matches, hover tells', () => {
  it('the matching objects of the workspace by rule, and the effect of a failure', async () => {
    const files = { 'policy.yaml': kyverno('Secret'), 'secrets.yaml': secrets };
    const { host } = await evaluated(engineThatIsNotBuilt(), files);
    const titles = hoverAt(host.analysis(), 'policy.yaml', 'match');
    expect(titles).toContain(
      'It selects 3 objects of this workspace: 3 × Secret (`default/c`, `default/a`, `default/b`).',
    );
    expect(titles).toContain('Against it: 1 × Secret (`default/c`).');
    expect(titles).toContain('What fails is refused (`Enforce`).');
    expect(hoverAt(host.analysis(), 'policy.yaml', 'Audit')).toContain('What fails is let in, and reported (`Audit`).');
    expect(hoverAt(host.analysis(), 'policy.yaml', 'message')).not.toContain('selects');
  });

  it('the controllers that a Pod rule reaches, and that none is in the workspace', async () => {
    const { host } = await evaluated(engineThatIsNotBuilt(), {
      'policy.yaml': kyverno('Pod'),
      'secrets.yaml': secrets,
    });
    const titles = hoverAt(host.analysis(), 'policy.yaml', 'match');
    expect(titles).toContain('It selects nothing of this workspace');
    expect(titles).toContain('DaemonSet, Deployment, Job, StatefulSet, ReplicaSet, ReplicationController, CronJob');
  });

  it('nothing for a Namespace', async () => {
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n';
    const { host } = await evaluated(engineThatIsNotBuilt(), { 'p.yaml': kyverno('Secret'), 'n.yaml': namespace });
    expect(hoverAt(host.analysis(), 'n.yaml', 'Namespace')).not.toContain('policy');
  });

  it('the effect of its bindings, before evaluation as well', () => {
    const bound = analysisOf({ 'policy.yaml': admission + binding });
    expect(hoverAt(bound, 'policy.yaml', 'matchConstraints')).toContain(
      'The binding `short` refuses the request (`Deny`).',
    );
    const unbound = analysisOf({ 'policy.yaml': admission });
    expect(hoverAt(unbound, 'policy.yaml', 'matchConstraints')).toContain('No binding names this policy');
  });
});

const admission = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: short }
spec:
  matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [secrets] }] }
  validations:
    - expression: size(object.metadata.name) < 3
    - expression: has(object.metadata.labels.team)
`;
const binding = `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: short }
spec: { policyName: short, validationActions: [Deny] }
`;

it('a lens reports an admission policy without a binding, without evaluating it', () => {
  const unbound = analysisOf({ 'policy.yaml': admission });
  expect(lensesOf(unbound, 'policy.yaml')).toEqual(['apiVersion: binds nothing: no binding names this policy']);
  expect(lensesOf(analysisOf({ 'policy.yaml': admission + binding }), 'policy.yaml')).toEqual([]);
});

describeWithEngine('Over policies of the engine', engine => {
  it('an admission policy counts all that it selects, and each validation what it rejects', async () => {
    const { host } = await evaluated(engine, { 'policy.yaml': admission + binding, 'secrets.yaml': secrets });
    expect(lensesOf(host.analysis(), 'policy.yaml')).toEqual([
      'apiVersion: rejects 1 of 3 objects',
      'expression: rejects 1 of 3 objects',
    ]);
  });

  it('each Rego rule counts what it rejects, if anything', async () => {
    const rego = `package main

deny contains "no Secrets" if input.kind == "Secret"

warn contains "no team" if not input.metadata.labels.team

deny contains "no Pods" if input.kind == "Pod"
`;
    const { host } = await evaluated(engine, { 'policy/p.rego': rego, 'secrets.yaml': secrets });
    expect(lensesOf(host.analysis(), 'policy/p.rego')).toEqual([
      'deny contains "no Secrets" if input.kind == "Secret": rejects 3 objects',
      'warn contains "no team" if not input.metadata.labels.team: warns of 1 object',
    ]);
    const at = { uri: 'policy/p.rego', offset: rego.indexOf('warn') };
    expect(opened(host.analysis(), at)).toHaveLength(1);
  });

  it('a constraint counts only what it rejects, since Gatekeeper reports nothing else', async () => {
    const template = `apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: { name: needsteam }
spec:
  crd: { spec: { names: { kind: NeedsTeam } } }
  targets:
    - target: admission.k8s.gatekeeper.sh
      rego: |
        package needsteam
        violation[{"msg": "no team"}] { not input.review.object.metadata.labels.team }
---
apiVersion: constraints.gatekeeper.sh/v1beta1
kind: NeedsTeam
metadata: { name: secrets }
spec: { match: { kinds: [{ apiGroups: [""], kinds: [Secret] }] } }
`;
    const { host } = await evaluated(engine, { 'gatekeeper.yaml': template, 'secrets.yaml': secrets });
    expect(lensesOf(host.analysis(), 'gatekeeper.yaml')).toEqual(['apiVersion: rejects 1 object']);
    const titles = hoverAt(host.analysis(), 'gatekeeper.yaml', 'match: {');
    expect(titles).toContain('Against it: 1 × Secret (`default/c`).\n\nWhat is against it is refused (`deny`).');
  });
});

describe('Of a policy in several environments', () => {
  const configuration = `environments:
  prod: { paths: [policies, prod] }
  staging: { paths: [policies, staging] }
`;
  const policy = 'file:///ws/policies/policy.yaml';
  const asked = async (prod: string, staging: string): Promise<Analysis> => {
    const host = createAnalysisHost({
      readPack,
      onBug: (_, error) => expect.fail(String(error)),
      policyEngine: engineThatIsNotBuilt(),
    });
    const files = {
      'file:///ws/berth.yaml': configuration,
      [policy]: kyverno('Secret'),
      'file:///ws/prod/a.yaml': prod,
      'file:///ws/staging/a.yaml': staging,
    };
    host.apply({
      folders: [{ uri: 'file:///ws' }],
      files: Object.entries(files).map(([uri, text]) => ({ uri, text })),
    });
    await iterateToEnd(host.evaluatePolicies([]));
    return host.analysis();
  };

  it('the lens counts the objects of all environments, says how many are in each, and opens them all', async () => {
    const analysis = await asked(secret('a') + secret('b'), secret('c', 'team: x'));
    expect(lensesOf(analysis, policy)).toEqual([
      'apiVersion: rejects 2, warns of 1 of 3 objects (prod: 2, staging: 1)',
      'name: rejects 2 of 3 objects (prod: 2, staging: 0)',
      'name: warns of 3 of 3 objects (prod: 2, staging: 1)',
    ]);
    expect(new Set(analysis.policyLocations({ uri: policy, offset: 0 }).map(it => it.uri))).toEqual(
      new Set(['file:///ws/prod/a.yaml', 'file:///ws/staging/a.yaml']),
    );
  });

  it('hover describes each environment by name', async () => {
    const analysis = await asked(secret('a'), secret('c', 'team: x, tier: gold'));
    expect(hoverAt(analysis, policy, 'ClusterPolicy')).toContain(
      'Against this policy is one object of `prod`:\n\n- Secret `default/a`\n\nNo object of `staging` is against this policy.',
    );
    expect(hoverAt(analysis, policy, 'match')).toContain(
      'It selects one object of `staging`: 1 × Secret (`default/c`).',
    );
  });
});
