import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AnalysisHost } from '../../server/src/analysis/analysis';
import { createAnalysisHost } from '../../server/src/analysis/host';
import type { KnownMutations } from '../../server/src/analysis/policies/knownMutations';
import { mutationAnswers } from '../../server/src/analysis/policies/mutationAnswers';
import { iterateToEnd } from '../../server/src/base/asyncIterables';
import { loadKube, newestMinor } from '../../server/src/kube/load';
import { isParsed, type ParsedDocument } from '../../server/src/manifest/file';
import type { ManifestFile } from '../../server/src/manifest/manifest';
import type * as Parse from '../../server/src/manifest/parse';
import type * as Reparse from '../../server/src/manifest/reparse';
import { type AdmissionChain, withoutMutation } from '../../server/src/policy/admission/chain';
import type * as Snapshots from '../../server/src/workspace/snapshot';
import type { Snapshot } from '../../server/src/workspace/workspace';
import { run } from '../cli/world';
import { describeWithEngine } from '../policy/withEngine';
import { collectGarbage, watched } from '../support/collected';
import { kyvernoLabel } from '../support/kyvernoLabel';
import { readPack } from '../support/packs';
import { engineThatIsNotBuilt } from '../support/policyEngine';
import { throwBug } from '../support/throwBug';

const made = await vi.hoisted(async () => {
  const { inPlaceOf } = await import('../support/inPlaceOf');
  const made = {
    parsed: (_uri: string, _text: string): void => undefined,
    file: (it: ManifestFile): ManifestFile => it,
    snapshot: (it: Snapshot): Snapshot => it,
  };
  inPlaceOf('manifest/parse', (real: typeof Parse) => ({
    parseManifests(uri, text) {
      made.parsed(uri, text);
      return made.file(real.parseManifests(uri, text));
    },
  }));
  inPlaceOf('manifest/reparse', (real: typeof Reparse) => ({
    reparseManifests: (before, text) => made.file(real.reparseManifests(before, text)),
  }));
  inPlaceOf('workspace/snapshot', (real: typeof Snapshots) => ({
    withFiles: (...given) => made.snapshot(real.withFiles(...given)),
  }));
  return made;
});

/** So many versions the index may keep of a file: the layers of its maps hold what is laid over until they are merged. */
const MOST_VERSIONS = 6;
/** The one that is asked, and one that each engine of policies goes on with. */
const MOST_SNAPSHOTS = 3;
const ROUNDS = 7;

const HOT = 'file:///ws/apps/hot.yaml';
const quiet = (i: number): string => `file:///ws/apps/quiet-${i}.yaml`;

/** A Deployment with problems that offer fixes. */
const deployment = (name: string, version: number): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, labels: { owner: somebody-${version} } }
spec:
  replicas: 2
  selectr: { matchLabels: { app: ${name} } }
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      nodeSelector: { disk: hdd }
      containers: [{ name: main, image: "registry.example.com/${name}:${version}", resources: { requests: { cpu: 9 } } }]
`;

const node = `apiVersion: v1
kind: Node
metadata: { name: one, labels: { disk: ssd } }
status: { allocatable: { cpu: "4", memory: 8Gi, pods: "110" } }
`;

const policy = (version: number): string => `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: owned }
spec:
  rules:
    - name: owner
      match: { any: [{ resources: { kinds: [Deployment] } }] }
      validate: { message: "an owner is needed", pattern: { metadata: { labels: { owner: "nobody*" } } } }
    - name: labels
      match: { any: [{ resources: { kinds: [Deployment, Pod] } }] }
      mutate: { patchStrategicMerge: { metadata: { labels: { +(added): "v${version}" } } } }
`;

const ENGINES: Readonly<Record<string, Files>> = {
  vap: {
    'file:///ws/apps/policy.yaml': `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: few }
spec:
  matchConstraints: { resourceRules: [{ apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments] }] }
  validations: [{ expression: object.spec.replicas < 2, message: too many }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: few }
spec: { policyName: few, validationActions: [Deny] }
`,
  },
  gatekeeper: {
    'file:///ws/apps/policy.yaml': `apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: { name: few }
spec:
  crd: { spec: { names: { kind: Few } } }
  targets:
    - target: admission.k8s.gatekeeper.sh
      rego: |
        package few
        violation[{"msg": msg}] {
          input.review.object.spec.replicas > 1
          others := [name | data.inventory.namespace[_][_]["Deployment"][name]]
          msg := sprintf("too many beside %v", [count(others)])
        }
---
apiVersion: constraints.gatekeeper.sh/v1beta1
kind: Few
metadata: { name: few }
spec: { match: { kinds: [{ apiGroups: [apps], kinds: [Deployment] }] } }
`,
  },
  conftest: {
    'file:///ws/policy/few.rego': 'package main\ndeny contains "too many" if input.spec.replicas > 1\n',
  },
};

const treesOf = ({ content }: ParsedDocument): readonly object[] => content.objects.map(it => it.content.tree.get());

type Files = Readonly<Record<string, string | undefined>>;

function change(host: AnalysisHost, files: Files): void {
  host.apply({ files: Object.entries(files).map(([uri, text]) => ({ uri, text })) });
}

/** What an editor asks of a file after each key, but for what the scheduler says. */
function ask(host: AnalysisHost, uri: string): void {
  const analysis = host.analysis();
  const problems = analysis.quickDiagnostics(uri);
  expect(problems.some(it => it.severity === 'error')).toBe(true);
  analysis.hover(uri, 60);
  analysis.documentSymbols(uri);
  analysis.semanticTokens(uri, { start: 0, end: 1_000 });
}

/** Edits one file after each edit of another one, so that what is kept of the others is of as many moments. */
async function typed(host: AnalysisHost, look: (uri: string, round: number) => Promise<void> | void): Promise<void> {
  for (let round = 1; round <= ROUNDS; round += 1) {
    change(host, { [quiet(round)]: deployment(`quiet-${round}`, round) });
    await look(quiet(round), round);
    change(host, { [HOT]: deployment('hot', round) });
    await look(HOT, round);
  }
  await collectGarbage();
}

describe('earlier states can be garbage collected', () => {
  let files = watched<ManifestFile>();
  let snapshots = watched<Snapshot>();
  const versionsOf = (uri: string): number => files.alive().filter(it => it.uri === uri).length;

  beforeEach(() => {
    files = watched();
    snapshots = watched();
    made.file = files.watch;
    made.snapshot = snapshots.watch;
  });

  function hostOf(given: Files, policyEngine = engineThatIsNotBuilt()): AnalysisHost {
    const host = createAnalysisHost({
      readPack,
      policyEngine,
      onBug: throwBug,
    });
    host.apply({ folders: [{ uri: 'file:///ws' }] });
    change(host, given);
    return host;
  }

  function expectFew(): void {
    expect(versionsOf(HOT)).toBeGreaterThan(0);
    expect(versionsOf(HOT)).toBeLessThanOrEqual(MOST_VERSIONS);
    expect(snapshots.alive().length).toBeLessThanOrEqual(MOST_SNAPSHOTS);
  }

  it('problems and positions of a closed file, which are the same when requested again', async () => {
    const uses = 'file:///ws/apps/uses.yaml';
    const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\n';
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: { name: one }\nspec:\n  containers: [{ name: c }]\n';
    const volume = '  volumes: [{ name: v, configMap: { name: settings } }]\n';
    const host = hostOf({ [uses]: pod + volume, [HOT]: configMap });
    const looked = watched<object>();
    const told = (): string => {
      const found = host.analysis().quickDiagnostics(uses);
      const trees = files.alive().flatMap(it => it.documents.filter(isParsed).flatMap(treesOf));
      for (const it of [...found, ...trees]) looked.watch(it);
      return JSON.stringify(found);
    };
    const before = told();
    expect(looked.alive()).not.toHaveLength(0);
    for (const it of [uses, HOT]) host.analysis().release(it);
    await collectGarbage();
    expect(looked.alive()).toHaveLength(0);
    expect(told()).toBe(before);
    host.analysis().release(uses);
    expect(host.apply({ files: [{ uri: HOT, text: configMap.replace('settings', 'other') }] })).toContain(uses);
    expect(told()).not.toBe(before);
  });

  it('during typing', async () => {
    const host = hostOf({ [HOT]: deployment('hot', 0) });
    await typed(host, uri => ask(host, uri));
    expectFew();
    expect(host.analysis().text(HOT)).toContain(`:${ROUNDS}`);
  });

  it('where environments share an index', async () => {
    const environments = 'environments: { prod: { paths: [apps] }, dev: { paths: [apps] } }\n';
    const host = hostOf({ 'file:///ws/berth.yaml': environments, [HOT]: deployment('hot', 0) });
    await typed(host, uri => ask(host, uri));
    expectFew();
  });

  it('with scheduler runs', async () => {
    const host = hostOf({ 'file:///ws/apps/node.yaml': node, [HOT]: deployment('hot', 0) });
    await typed(host, uri => {
      ask(host, uri);
      const analysis = host.analysis();
      expect(analysis.diagnostics(uri).some(it => it.category === 'placement')).toBe(true);
      analysis.codeLenses(uri);
      analysis.inlayHints(uri, { start: 0, end: 1_000 });
      analysis.preview({ uri, offset: 0 });
    });
    expectFew();
  });

  it('with policies that are evaluated and change', async () => {
    const rules = 'file:///ws/apps/policy.yaml';
    const host = hostOf({ 'file:///ws/apps/node.yaml': node, [rules]: policy(0), [HOT]: deployment('hot', 0) });
    await typed(host, async (uri, round) => {
      if (uri === HOT) change(host, { [rules]: policy(round) });
      await iterateToEnd(host.evaluatePolicies([uri]));
      const problems = host.analysis().diagnostics(uri);
      expect(problems.some(it => it.category === 'policy')).toBe(true);
      host.analysis().codeLenses(uri);
      host.analysis().preview({ uri, offset: 0 });
    });
    expectFew();
    expect(versionsOf(rules)).toBeLessThanOrEqual(MOST_VERSIONS);
  });

  describeWithEngine('where an engine is asked about policies', engine => {
    for (const [name, policies] of Object.entries(ENGINES)) {
      it(name, async () => {
        const host = hostOf({ ...policies, [HOT]: deployment('hot', 0) }, engine);
        await typed(host, async uri => {
          ask(host, uri);
          await iterateToEnd(host.evaluatePolicies([uri]));
          const problems = host.analysis().diagnostics(uri);
          expect(problems.filter(it => it.policy?.engine === name)).not.toHaveLength(0);
          host.analysis().codeLenses(uri);
        });
        expectFew();
      });
    }
  });

  it('with files that are added, removed and renamed', async () => {
    const host = hostOf({ [HOT]: deployment('hot', 0) });
    const named = (i: number): string => `file:///ws/apps/named-${i}.yaml`;
    for (let round = 1; round <= ROUNDS; round += 1) {
      change(host, { [named(round - 1)]: undefined, [named(round)]: deployment('named', round) });
      ask(host, named(round));
      change(host, { [HOT]: undefined });
      change(host, { [HOT]: deployment('hot', round) });
      ask(host, HOT);
    }
    await collectGarbage();
    expectFew();
    expect(files.alive().filter(it => it.uri !== HOT).length).toBeLessThanOrEqual(MOST_VERSIONS);
  });

  it('an edited document does not keep the text of the whole file', async () => {
    const [documents, filler] = [40, '# '.padEnd(25_000, 'x')];
    const one = (i: number, value: number): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: m${i} }\ndata: { value: "number ${value} of a text" }\n${filler}\n`;
    const values = Array.from({ length: documents }, () => 0);
    const text = (): string => values.map((value, i) => one(i, value)).join('---\n');
    const host = hostOf({ [HOT]: text() });
    const { length } = text();
    await collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (const i of values.keys()) {
      values[i] = i + 1;
      change(host, { [HOT]: text() });
      host.analysis().diagnostics(HOT);
    }
    await collectGarbage();
    expect((process.memoryUsage().heapUsed - before) / length).toBeLessThan(documents / 4);
  });

  it('a function that asks policies does not keep them alive', async () => {
    const chains = watched<AdmissionChain>();
    const asking = (): KnownMutations['ask'] => {
      const kube = loadKube(newestMinor, {}, readPack);
      return mutationAnswers(chains.watch(withoutMutation(kube)), kube).current().ask;
    };
    const ask = asking();
    await collectGarbage();
    expect([ask({ kind: 'Pod' }), chains.alive().length]).toEqual([undefined, 0]);
  });
});

// Here, as it looks at the same function: each process that puts something in its place loads nearly all modules anew.
describe('berth place', () => {
  const pod = (name: string, cpu: number): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec: { containers: [{ name: c, image: a, resources: { requests: { cpu: ${cpu} } } }] }
`;
  const files = {
    'nodes.yaml': node,
    'pods.yaml': `${pod('web', 1)}---\n${pod('big', 9)}`,
    'policy.yaml': kyvernoLabel('team', 'shop'),
  };

  it.each([
    [['place', '.']],
    [['place', '.', '--format', 'json', '--suggest', '--compare', '--explain', 'big']],
    [['place', '.', '--explain', 'web', '--ask-extenders']],
  ])('parses each file once, whatever is asked: %j', async argv => {
    const parsed: (readonly [uri: string, text: string])[] = [];
    made.parsed = (uri, text) => void parsed.push([uri, text]);
    const { out, err } = await run(argv, files);
    expect([out.length > 0, err]).toEqual([true, '']);
    // As it is written: a suggestion parses the text that it changes, too.
    const times = Object.entries(files).map(
      ([name, text]) => parsed.filter(it => it[0] === name && it[1] === text).length,
    );
    expect(times).toEqual([1, 1, 1]);
  });
});
