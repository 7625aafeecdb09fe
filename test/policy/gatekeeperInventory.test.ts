import { expect, it } from 'vitest';
import type { AnalysisHost } from '../../server/src/analysis/analysis';
import { iterateToEnd } from '../../server/src/base/asyncIterables';
import type { EngineRequest, PolicyEngine } from '../../server/src/policy/engine/engine';
import { sizedFor } from '../support/thorough';
import { describeWithEngine, evaluated, reportedBy } from './withEngine';

/** A Rego template with a constraint on all objects of one kind. */
const policy = (kind: string, about: string, rego: string): string => `apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: { name: ${kind.toLowerCase()} }
spec:
  crd: { spec: { names: { kind: ${kind} } } }
  targets:
    - target: admission.k8s.gatekeeper.sh
      rego: |
        package ${kind.toLowerCase()}
${rego.replace(/^/gm, '        ')}
---
apiVersion: constraints.gatekeeper.sh/v1beta1
kind: ${kind}
metadata: { name: all }
spec: { match: { kinds: [{ apiGroups: ["*"], kinds: [${about}] }] } }
`;

const policies: Readonly<Record<string, string>> = {
  'one.yaml': policy(
    'OneId',
    'Service',
    `violation[{"msg": msg}] {
  other := data.inventory.namespace[_][_]["Service"][name]
  name != input.review.object.metadata.name
  other.metadata.labels.id == input.review.object.metadata.labels.id
  msg := sprintf("has the id of %v", [name])
}`,
  ),
  'settings.yaml': policy(
    'Settings',
    'Pod',
    `inventory := data.inventory
violation[{"msg": msg}] {
  wanted := input.review.object.metadata.labels.settings
  not inventory.namespace[input.review.object.metadata.namespace].v1.ConfigMap[wanted]
  msg := sprintf("there is no ConfigMap %v", [wanted])
}`,
  ),
  'crowd.yaml': policy(
    'Crowd',
    'Namespace',
    `violation[{"msg": msg}] {
  found := count([x | x := data.inventory.namespace[input.review.object.metadata.name][_].Pod[_]])
  found > 2
  msg := sprintf("holds %v Pods", [found])
}`,
  ),
  'plain.yaml': policy(
    'Plain',
    'Pod',
    'violation[{"msg": "has no labels"}] { not input.review.object.metadata.labels }',
  ),
  'space.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: default }\n',
};

const NODE = `apiVersion: v1
kind: Node
metadata: { name: node }
status: { allocatable: { cpu: "4", memory: 8Gi, pods: "100" } }
`;

const object = (kind: string, name: string, labels: string): string =>
  `apiVersion: v1\nkind: ${kind}\nmetadata: { name: ${name}${labels === '' ? '' : `, labels: { ${labels} }`} }\n${
    kind === 'Pod' ? 'spec: { containers: [{ name: web, image: web:1 }] }\n' : ''
  }`;

describeWithEngine('the inventory of Gatekeeper', engine => {
  const calls: EngineRequest[] = [];
  const listening: PolicyEngine = {
    ...engine,
    call(request, limits) {
      calls.push(request);
      return engine.call(request, limits);
    },
  };
  const opsAfter = async (edit: () => Promise<unknown>) => {
    calls.length = 0;
    await edit();
    return calls.map(({ op, put, remove, objects }) =>
      [op, ...[put, remove, objects].map(it => (it as readonly unknown[] | undefined)?.length ?? '-')].join(' '),
    );
  };

  it('is updated in place, and only what reads the change is evaluated again', async () => {
    const files = {
      ...policies,
      'a.yaml': object('Service', 'a', 'id: one'),
      'b.yaml': object('Service', 'b', 'id: two'),
      'p.yaml': object('Pod', 'p', 'settings: web'),
    };
    const { host } = await evaluated(listening, files);
    const editing = (uri: string, text: string) => () => {
      host.apply({ files: [{ uri, text }] });
      return iterateToEnd(host.evaluatePolicies([uri]));
    };
    expect(reportedBy(host).join()).not.toContain('has the id of');

    const edit = await opsAfter(editing('a.yaml', object('Service', 'a', 'id: two')));
    // The Service, then the other Service and the Pod, whose template reads the whole inventory; not the Pod once more, as
    // a placement creates the same one.
    expect(edit).toEqual(['updateGatekeeper 1 0 -', 'reviewGatekeeper - - 1', 'reviewGatekeeper - - 2']);
    expect(reportedBy(host)).toEqual(expect.arrayContaining([expect.stringMatching(/^b\.yaml:.*has the id of a/)]));

    const comment = await opsAfter(editing('b.yaml', `# two\n${object('Service', 'b', 'id: two')}`));
    // No template reads the difference: neither the Pod nor the one that a placement creates is asked about again.
    expect(comment).toEqual(['updateGatekeeper 1 0 -', 'reviewGatekeeper - - 1']);

    const pod = await opsAfter(editing('q.yaml', object('Pod', 'q', 'app: q')));
    expect(pod).toEqual(['updateGatekeeper 1 0 -', 'reviewGatekeeper - - 1', 'reviewGatekeeper - - 2']);

    const gone = await opsAfter(editing('a.yaml', ''));
    expect(gone).toEqual(['updateGatekeeper 0 1 -', 'reviewGatekeeper - - 3']);
    expect(reportedBy(host).join()).not.toContain('has the id of');
  });

  it('gives the same results as a fresh start after each change', { timeout: 120_000 }, async () => {
    const random = sequence(7);
    const pick = <T>(of: readonly T[]): T => of[random(of.length)] as T;
    const files: Record<string, string> = { ...policies, 'node.yaml': NODE };
    const { host } = await evaluated(engine, files);
    const outcomes = new Set<string>();
    for (let round = 0; round < sizedFor({ thorough: 40, quick: 28 }); round++) {
      const uri = `o${random(6)}.yaml`;
      const kind = pick(['Pod', 'Service', 'ConfigMap', 'Pod']);
      const labels = pick(['', 'id: one', 'id: two', 'settings: n1, id: one', 'settings: n2']);
      const text = Array.from({ length: random(3) }, () => object(kind, `n${random(4)}`, labels)).join('---\n');
      files[uri] = text;
      host.apply({ files: [{ uri, text }] });
      await iterateToEnd(host.evaluatePolicies(random(2) === 0 ? [uri] : []));
      if (round % 4 !== 3) continue;
      const fresh = await evaluated(engine, files);
      expect(reportedBy(host).toSorted(), `after round ${round}`).toEqual(fresh.reported.toSorted());
      const placed = placedBy(host);
      expect(placed, `after round ${round}`).toEqual(placedBy(fresh.host));
      for (const it of placed) outcomes.add(it.slice(it.indexOf(' ') + 1));
    }
    expect(reportedBy(host).filter(it => it.includes('gatekeeper/')).length).toBeGreaterThan(2);
    expect([...outcomes].join()).toMatch(/on node.*there is no ConfigMap|there is no ConfigMap.*on node/s);
  });
});

/** Where the Pods of the workspace are placed, and why those are not that policies refuse. */
function placedBy(host: AnalysisHost): readonly string[] {
  const { pods, refused } = host.analysis().preview({ uri: 'node.yaml', offset: 0 });
  return [...pods.map(it => `${it.name} on ${it.node}`), ...refused.map(it => `${it.name} ${it.message}`)];
}

/** Numbers below a bound, the same in each run. */
function sequence(seed: number): (bound: number) => number {
  const state = { it: seed };
  return bound => {
    state.it = (state.it * 48_271) % 2_147_483_647;
    return state.it % bound;
  };
}
