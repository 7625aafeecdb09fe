import { describe, expect, it } from 'vitest';
import { MOST_RULES } from '../../server/src/policy/property/readRules';
import { analysisOf } from '../analysis/analyse';

const uri = 'file:///ws/web.yaml';
const configuration = 'file:///ws/berth.yaml';

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: prod-eu, labels: { tier: front } }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - { name: web, image: web:1 }
        - { name: log, image: other.example/log:1 }
`;

/** The results of the rules for a text: code, severity, underlined text and message. */
function reportedBy(rules: string, text = DEPLOYMENT): readonly string[] {
  return problemsWith(rules, text).map(
    it => `${it.severity} ${it.code} "${text.slice(it.span.start, it.span.end)}": ${it.message}`,
  );
}

function problemsWith(rules: string, text: string) {
  const analysis = analysisOf({ [configuration]: rules, [uri]: text }, {}, [{ uri: 'file:///ws' }]);
  return analysis.diagnostics(uri).filter(it => it.category === 'policy');
}

describe('rules of berth.yaml', () => {
  it('report failed assertions with their own message at the field of `at`', () => {
    const rules = `rules:
  - name: enough-replicas
    expression: object.spec.replicas >= 2
    message: run two replicas at least
    severity: warning
    at: spec.replicas
    select: { kinds: [Deployment] }
  - name: own-registry
    expression: pod.containers.all(c, !c.image.contains('/') || c.image.startsWith('own.example/'))
    messageExpression: "'images of others: ' + string(pod.containers.filter(c, c.image.contains('/')).size())"
    at: pod.containers
  - name: holds
    expression: has(object.metadata.labels) && object.metadata.labels.tier == 'front'
`;
    expect(reportedBy(rules)).toEqual([
      'warning property/enough-replicas "replicas": run two replicas at least',
      'error property/own-registry "containers": images of others: 1',
    ]);
  });

  it('are read up to a number, and the first that is not says so', () => {
    const names = Array.from({ length: MOST_RULES + 2 }, (_, i) => `r${i}`);
    const rules = `rules:\n${names.map(it => `  - { name: ${it}, expression: "object.kind == ''" }\n`).join('')}`;
    expect(new Set(problemsWith(rules, DEPLOYMENT).map(it => it.code)).size).toBe(MOST_RULES);
    const [problem, ...others] = analysisOf({ [configuration]: rules }, {}, [{ uri: 'file:///ws' }]).diagnostics(
      configuration,
    );
    expect(problem!.message).toContain('of 1,002 rules the first 1,000 are read');
    expect(rules.slice(problem!.span.start)).toMatch(/^\{ name: r1000,/);
    expect(others).toEqual([]);
  });

  it.each([
    ['a kind', 'kinds: [StatefulSet]', false],
    ['a group and kind', 'kinds: [apps/Deployment]', true],
    ['a version', 'kinds: [apps/v1beta1/Deployment]', false],
    ['a pattern of namespaces', 'namespaces: [prod-*]', true],
    ['another namespace', 'namespaces: [prod]', false],
    ['a name', 'names: ["w?b"]', true],
    ['a label', 'labels: { tier: front }', true],
    ['a label of another value', 'labels: { tier: back }', false],
  ])('speak of what %s selects', (_, select, isReported) => {
    const rules = `rules: [{ name: never, expression: "false", message: never, select: { ${select} } }]\n`;
    expect(reportedBy(rules).length).toBe(isReported ? 1 : 0);
  });

  it('report expressions that cannot be evaluated, and skip objects without Pods', () => {
    const rules = `rules:
  - { name: missing, expression: object.spec.nothing == 1 }
  - { name: pods, expression: pod.containers.size() < 9 }
`;
    expect(reportedBy(rules)).toEqual([
      'error property/missing "Deployment": rule missing cannot be evaluated here: no such key: nothing',
    ]);
    expect(reportedBy('rules: [{ name: pods, expression: "pod.containers.size() > 9" }]\n', SERVICE)).toEqual([]);
  });

  it('end, whatever loops they contain', () => {
    const many = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: many }\nlist: [${Array(200).fill('1').join(', ')}]\n`;
    const loops = 'object.list.all(a, object.list.all(b, object.list.all(c, object.list.all(d, a + b + c + d > 0))))';
    expect(reportedBy(`rules: [{ name: loops, expression: "${loops}" }]\n`, many)).toEqual([
      'error property/loops "ConfigMap": rule loops cannot be evaluated here: it takes more than 1000000 steps',
    ]);
  });

  it('are suppressed with a reason, as all problems are', () => {
    const rules = 'rules: [{ name: never, expression: "false" }]\n';
    const silenced = DEPLOYMENT.replace('kind:', '# berth-ignore property/never: it is the old one\nkind:');
    expect(reportedBy(rules, silenced)).toEqual([]);
  });

  it('with mistakes are reported where they are written, and the others are evaluated', () => {
    const text = `rules:
  - { name: Bad Name, expression: "true" }
  - { name: open, expression: "object.spec." }
  - { name: unknown, expression: "objekt.spec == 1", severity: fatal, when: never }
  - { name: open, expression: "true" }
  - { expression: "true" }
  - none
`;
    const analysis = analysisOf({ [configuration]: text, [uri]: DEPLOYMENT }, {}, [{ uri: 'file:///ws' }]);
    const reported = analysis.diagnostics(configuration).map(it => it.message.split('\n')[0]);
    expect(reported.toSorted()).toEqual([
      'rules[0].name must be of lower-case letters, digits, "-" and ".".',
      expect.stringContaining('rules[1].expression cannot be compiled: ERROR: <input>:1:'),
      "rules[2].expression cannot be compiled: ERROR: <input>:1:1: undeclared reference to 'objekt' (in container '')",
      'rules[2].severity must be one of: error, warning, info, hint.',
      'rules[2].when is not one of: name, expression, message, messageExpression, severity, why, at, select, tests.',
      'rules[3].name is the name of another rule too.',
      'rules[4] needs a name and an expression.',
      'rules[5] must be a mapping with name and expression.',
    ]);
  });
});

const SERVICE = 'apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { ports: [{ port: 80 }] }\n';
