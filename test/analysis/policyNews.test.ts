import { describe, expect, it } from 'vitest';
import type { AnalysisHost } from '../../server/src/analysis/analysis';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { iterateToEnd } from '../../server/src/base/asyncIterables';
import { readPack } from '../support/packs';
import { engineThatAgrees, engineThatIsNotBuilt } from '../support/policyEngine';
import { throwBug } from '../support/throwBug';

type Files = Readonly<Record<string, string | undefined>>;

function hostOf(files: Files, policyEngine = engineThatIsNotBuilt()): AnalysisHost {
  const host = createAnalysisHost({ readPack, policyEngine, onBug: throwBug });
  host.apply({ folders: [{ uri: 'file:///ws' }] });
  change(host, files);
  return host;
}

function change(host: AnalysisHost, files: Files): void {
  host.apply({ files: Object.entries(files).map(([path, text]) => ({ uri: `file:///ws/${path}`, text })) });
}

/** All news of an evaluation: the files that it names. */
async function newsOf(host: AnalysisHost, first: readonly string[] = []): Promise<readonly (readonly string[])[]> {
  const all: (readonly string[])[] = [];
  for await (const { uris } of host.evaluatePolicies(first)) all.push(uris);
  return all;
}

const ruleFor = (kind: string, rule: string): string => `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: owned }
spec:
  rules:
    - name: owner
      match: { any: [{ resources: { kinds: [${kind}] } }] }
      ${rule}
`;
const validating = ruleFor(
  'Secret',
  'validate: { message: an owner is needed, pattern: { metadata: { labels: { owner: "?*" } } } }',
);
const mutating = ruleFor('Pod', 'mutate: { patchStrategicMerge: { spec: { nodeSelector: { pool: b } } } }');
const secret = (name: string): string => `apiVersion: v1\nkind: Secret\nmetadata: { name: ${name} }\n`;
const node = (name: string): string =>
  `apiVersion: v1\nkind: Node\nmetadata: { name: ${name}, labels: { pool: ${name} } }\nstatus: { capacity: { cpu: "4", memory: 8Gi, pods: "10" } }\n`;
const pod = `apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: web, image: "web:1" }] }\n`;

const NAMES = Array.from({ length: 40 }, (_, i) => `c${i}`);
const inEach = (text: string): Files => Object.fromEntries(NAMES.map(it => [`clusters/${it}/own.yaml`, text]));

describe('of many environments', () => {
  it('there are no news where there are no policies, whatever is edited', async () => {
    const host = hostOf({ ...inEach(secret('a')), 'base/pod.yaml': pod });
    const before = host.analysis();
    expect(await newsOf(host)).toEqual([]);
    expect(host.analysis()).toBe(before);
    for (const edit of [{ 'clusters/c3/own.yaml': secret('b') }, { 'base/pod.yaml': `# a\n${pod}` }]) {
      change(host, edit);
      const edited = host.analysis();
      expect(await newsOf(host)).toEqual([]);
      expect(host.analysis()).toBe(edited);
    }
  });

  it.each([
    ['validate', validating],
    ['change Pods', mutating],
  ])('there are news of those alone that an edit reaches, with policies that %s', async (_, policy) => {
    const nodes = `${node('a')}---\n${node('b')}`;
    const host = hostOf({ ...inEach(secret('a')), 'base/policy.yaml': policy, 'base/nodes.yaml': nodes });
    const edited = 'file:///ws/clusters/c3/own.yaml';
    expect((await newsOf(host, [edited])).length).toBeGreaterThanOrEqual(NAMES.length);
    expect(await newsOf(host, [edited])).toEqual([]);
    for (const text of [secret('b'), pod, pod.replace('web:1', 'web:2'), `# a\n${pod}`]) {
      change(host, { 'clusters/c3/own.yaml': text });
      const news = await newsOf(host, [edited]);
      expect(news.flat()).toContain(edited);
      expect(news.length).toBeLessThan(5);
    }
  });

  it('other work goes on between those without policies', async () => {
    const host = hostOf(inEach(secret('a')));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (turns < NAMES.length) setImmediate(count);
    };
    setImmediate(count);
    await newsOf(host);
    expect(turns).toBeGreaterThan(3);
  });
});

describe('whoever asks before an evaluation gets the same answers after it as who asks then', () => {
  const inTwo = 'environments:\n  one: { paths: [base, one] }\n  two: { paths: [base, two] }\n';
  const told = (host: AnalysisHost): unknown => {
    const { uris, text, codeLenses, diagnostics, hover, policyLocations, preview } = host.analysis();
    // Files are in the order in which they were added.
    return [...uris].sort().map(uri => ({
      uri,
      lenses: codeLenses(uri).map(it => it.title),
      problems: diagnostics(uri).map(it => `${it.code} ${it.message}`),
      locations: policyLocations({ uri, offset: 0 })
        .map(it => it.uri)
        .sort(),
      hover: ['Policy', 'match'].map(it => hover(uri, text(uri)?.indexOf(it) ?? 0)?.markdown),
      placed: preview({ uri, offset: 0 }).pods.map(it => it.node),
    }));
  };
  const suppressed = secret('a').replace('metadata:', 'metadata: # berth-ignore kyverno/owned: none\n ');
  const edits: readonly Files[] = [
    { 'base/policy.yaml': validating },
    { 'one/a.yaml': secret('a') },
    { 'two/a.yaml': suppressed },
    { 'base/policy.yaml': mutating },
    { 'two/pod.yaml': pod },
    { 'two/policy.yaml': validating.replace('name: owned', 'name: other') },
    { 'base/policy.yaml': undefined },
    { 'two/policy.yaml': undefined },
    { 'base/policy.yaml': validating.replace('Secret', 'ConfigMap') },
  ];
  const given: Files = { 'base/nodes.yaml': `${node('a')}---\n${node('b')}`, 'one/pod.yaml': pod };

  it.each([
    ['that are declared', { 'berth.yaml': inTwo }],
    ['that are guessed', {}],
  ])('in environments %s', async (_, own) => {
    const at = (files: Files): Files =>
      'berth.yaml' in own
        ? files
        : Object.fromEntries(Object.entries(files).map(([path, it]) => [path.replace(/^(one|two)/, 'envs/$1'), it]));
    let files: Files = { ...own, ...at(given) };
    const host = hostOf(files);
    for (const edit of edits) {
      files = { ...files, ...at(edit) };
      change(host, at(edit));
      told(host);
      // Whoever places asks policies about Pods: until nothing is asked any more.
      for (let news = 1; news > 0; ) {
        news = (await newsOf(host)).length;
        told(host);
      }
      const fresh = hostOf(files);
      while ((await newsOf(fresh)).length > 0) told(fresh);
      expect(told(host)).toEqual(told(fresh));
    }
  });

  const ofServer = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: short }
spec:
  matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [secrets] }] }
  validations: [{ expression: size(object.metadata.name) < 3 }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: short }
spec: { policyName: short, validationActions: [Audit] }
`;

  it.each([
    ['Kyverno', validating],
    ['the API server', ofServer],
  ])('of policies of %s that nothing is evaluated about', async (_, policy) => {
    const files = { 'berth.yaml': inTwo, 'base/policy.yaml': policy };
    const [host, fresh] = [hostOf(files, engineThatAgrees().engine), hostOf(files, engineThatAgrees().engine)];
    const before = told(host);
    for (const it of [host, fresh]) await newsOf(it);
    expect(told(host)).toEqual(told(fresh));
    expect(told(host)).not.toEqual(before);
  });

  it('of suppressions, though there are no policies', async () => {
    const host = hostOf({ ...inEach(secret('a')), 'clusters/c3/own.yaml': suppressed }, engineThatAgrees().engine);
    const uri = 'file:///ws/clusters/c3/own.yaml';
    expect(host.analysis().diagnostics(uri)).toEqual([]);
    expect(await newsOf(host)).toEqual([[uri]]);
    expect(host.analysis().diagnostics(uri)).toHaveLength(1);
  });

  it('and after one that another overtakes', async () => {
    let files: Files = { 'berth.yaml': inTwo, ...given };
    const host = hostOf(files);
    for (const edit of edits) {
      files = { ...files, ...edit };
      change(host, edit);
      const overtaken = host.evaluatePolicies([])[Symbol.asyncIterator]();
      await overtaken.next();
      const again = { 'one/pod.yaml': `# after ${Object.keys(edit)}\n${pod}` };
      change(host, again);
      told(host);
      const rest = iterateToEnd({ [Symbol.asyncIterator]: () => overtaken });
      await Promise.all([rest, newsOf(host)]);
      const fresh = hostOf({ ...files, ...again });
      await newsOf(fresh);
      for (const it of [host, fresh]) {
        told(it);
        await newsOf(it);
        told(it);
        await newsOf(it);
      }
      expect(told(host)).toEqual(told(fresh));
    }
  });
});
