// The texts of a new rule and of its fixture. What the author has to write is marked with TODO, and tests fail until no
// TODO is left. The check is a small one that works, so that the fixture shows where a finding appears.

const pod = ({ name }) =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\nspec:\n  containers:\n    - name: web\n      image: nginx\n`;
const ONE_NODE =
  "apiVersion: v1\nkind: Node\nmetadata: { name: node-1 }\nstatus: { allocatable: { cpu: '4', memory: 16Gi, pods: '110' } }\n";
const BASELINE_NAMESPACE =
  'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n  labels:\n    pod-security.kubernetes.io/enforce: baseline\n';

const SUMMARY = 'TODO: one sentence: what is the case.';
const WHY = 'TODO: what happens if it stays.';
const REMEDY = 'TODO: what to do about it.';

/**
 * Each room of rules: the text of a rule, that of a fixture in which it finds something, and what else there is to know.
 * Both are given the parts of its code, `ROOM/NAME`.
 * @type {Record<string, { rule: (parts: Parts) => string, fixture: (parts: Parts) => string, hint?: string }>}
 * @typedef {{ code: string, room: string, name: string }} Parts
 */
export const ROOMS = {
  apiserver: { rule: podRule('apiserver', 'error', { errorType: 'FieldValueInvalid' }), fixture: pod },
  decode: { rule: podRule('decode', 'error', { errorType: 'TypeMismatch' }), fixture: pod },
  descheduler: {
    rule: deschedulerRule,
    fixture: ({ name }) => `apiVersion: descheduler/v1alpha2\nkind: DeschedulerPolicy\nnodeSelector: example=${name}\n`,
  },
  dropped: { rule: podRule('dropped', 'warning', { unnecessary: true }), fixture: pod },
  kustomize: {
    rule: kustomizeRule,
    fixture: ({ name }) => `# name: kustomization.yaml\nnamePrefix: ${name}\nresources: []\n`,
  },
  placement: { rule: placementRule, fixture: it => `${ONE_NODE}---\n${pod(it)}` },
  practice: {
    rule: practiceRule,
    fixture: it => `# on: ${it.code}\n${pod(it)}`,
    hint: '`practice`, `containerPractice` and `podPractice` (rules/practice/practice.ts) put the rule into the preset best-practice: it is off by default.',
  },
  references: {
    rule: referencesRule,
    fixture: it =>
      pod(it).replace(
        'spec:\n',
        `spec:\n  volumes:\n    - name: data\n      persistentVolumeClaim: { claimName: ${it.name} }\n`,
      ),
    hint: 'A field that names something and is not known yet needs a row in server/src/workspace/references; its table is table.ts.',
  },
  registry: { rule: podRule('policy', 'error', {}), fixture: pod },
  scheduler: {
    rule: schedulerRule,
    fixture: ({ name }) =>
      `apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n  - schedulerName: ${name}\n`,
  },
  security: {
    rule: securityRule,
    fixture: it =>
      `${BASELINE_NAMESPACE}---\n${pod(it).replace('spec:', '  namespace: shop\nspec:').replace('nginx', it.name)}`,
    hint: '`podSecurityRule` (rules/security/check.ts) is for a check of the Pod Security Standards; it writes the message.',
  },
  warning: { rule: podRule('warning', 'warning', {}), fixture: pod },
};

/** The parts of `ROOM/NAME`; undefined when it is no code of a rule. */
export function parsedCode(code) {
  const [, room, name] = /^([a-z]+)\/([a-z][a-z0-9]*(?:-[a-z0-9]+)*)$/.exec(code) ?? [];
  return room !== undefined && Object.hasOwn(ROOMS, room) ? { code, room, name } : undefined;
}

/** Path → text of the two files of a rule. */
export function ruleFiles(code) {
  const parts = parsedCode(code);
  const { room, name } = parts;
  const file = name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  return new Map([
    [`server/src/rules/${room}/${file}.ts`, ROOMS[room].rule(parts)],
    [`test/fixtures/rules/${room}/${name}.yaml`, ROOMS[room].fixture(parts)],
  ]);
}

/** The lines of a rule's metadata. */
function meta(code, { category, severity, cost, project = 'kubernetes' }) {
  return `  meta: {
    code: '${code}',
    category: '${category}',
    severity: '${severity}',
    cost: '${cost}',
    summary: '${SUMMARY}',
    why: '${WHY}',
    remedy: '${REMEDY}',
    source: { project: '${project}', symbol: 'TODO: upstream’s function', fidelity: 'inspired' },
  },`;
}

/** A rule that looks at one Pod alone. `more` are further properties of its finding. */
function podRule(category, severity, more) {
  const lines = Object.entries(more).map(([key, it]) => `\n      ${key}: ${typeof it === 'string' ? `'${it}'` : it},`);
  return ({ code, name }) => `import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';

interface Facts {
  readonly name: string;
}

export default defineRule<Facts>({
${meta(code, { category, severity, cost: 'typing' })}
  on: ['Pod'],

  *check({ object }) {
    if (object.name !== '${name}') return;
    yield {
      at: FieldPath.of('metadata', 'name'),
      part: 'value',${lines.join('')}
      facts: { name: object.name },
    };
  },

  message: ({ facts }) => \`TODO: say what is wrong with \${facts.name}\`,
});
`;
}

function placementRule({ code, name }) {
  return `import type { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';
import { counted } from './phrases';

interface Facts {
  readonly at: FieldPath;
  readonly nodes: number;
}

export default defineRule<Facts>({
${meta(code, { category: 'placement', severity: 'warning', cost: 'placement' })}
  on: 'podSpec',

  *check(target, { placement }) {
    const facts = placement?.(target.object);
    const at = podSpecOf(target)?.at;
    if (facts === undefined || at === undefined || target.object.name !== '${name}') return;
    const nodes = facts.cluster.nodes.length;
    if (nodes < 2) yield { at, part: 'key', facts: { at, nodes } };
  },

  message: ({ facts }) => \`TODO: say what is wrong with \${counted(facts.nodes, 'node')}\`,
});
`;
}

function practiceRule({ code, name }) {
  return `import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { practice } from './practice';

export default defineRule(
  practice({
    code: '${code}',
    summary: '${SUMMARY}',
    why: '${WHY}',
    remedy: '${REMEDY}',
    after: ['TODO: the checks of other linters that ask for the same: kube-linter latest-tag'],
    on: ['Pod'],
    check: ({ object }) => {
      if (object.name !== '${name}') return undefined;
      return { at: FieldPath.of('metadata', 'name'), message: \`TODO: say what is wrong with \${object.name}\` };
    },
  }),
);
`;
}

function referencesRule({ code, name }) {
  return `import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';
import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
${meta(code, { category: 'reference', severity: 'error', cost: 'workspace' }).replaceAll(/^/gm, '  ')}
    // TODO: the kind that is named, and which of its names other rules report.
    isChecked: targetsKind(NAMED.claim),
    isSkipped: reference => reference.name !== '${name}',
  }),
);
`;
}

function securityRule({ code, name }) {
  return `import { defineRule } from '../framework/rule';
import { podSecurityRule } from './check';

export default defineRule(
  podSecurityRule({
    code: '${code}',
    symbol: 'TODO: the function of pod-security-admission/policy: CheckHostPorts',
    level: 'baseline',
    summary: '${SUMMARY}',
    why: '${WHY}',
    remedy: '${REMEDY}',
    versions: [
      {
        since: 0,
        check({ containers }) {
          const fields = containers.filter(it => it.value.image === '${name}').map(({ at }) => ({ at: at.child('image') }));
          if (fields.length === 0) return undefined;
          return { reason: 'TODO: the reason as upstream words it', detail: '', fields };
        },
      },
    ],
  }),
);
`;
}

function schedulerRule({ code, name }) {
  return `import { asList, asText } from '../../base/json';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import { defineRule } from '../framework/rule';

interface Facts {
  readonly schedulerName: string;
}

export default defineRule<Facts>({
${meta(code, { category: 'placement', severity: 'warning', cost: 'typing' })}
  on: ['KubeSchedulerConfiguration'],

  *check({ value }) {
    for (const [i, profile] of asList(value.profiles).entries()) {
      const schedulerName = asText(fieldAt(profile, 'schedulerName'));
      if (schedulerName !== '${name}') continue;
      yield { at: FieldPath.of('profiles', i, 'schedulerName'), part: 'value', facts: { schedulerName } };
    }
  },

  message: ({ facts }) => \`TODO: say what is wrong with \${facts.schedulerName}\`,
});
`;
}

function deschedulerRule({ code, name }) {
  return `import { asText } from '../../base/json';
import { isDeschedulerPolicy } from '../../descheduler/validate';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';

interface Facts {
  readonly selector: string;
}

export default defineRule<Facts>({
${meta(code, { category: 'placement', severity: 'warning', cost: 'typing', project: 'kubernetes-sigs/descheduler' })}
  on: 'any',

  *check({ value }) {
    if (!isDeschedulerPolicy(value)) return;
    const selector = asText(value.nodeSelector);
    if (selector === 'example=${name}') yield { at: FieldPath.of('nodeSelector'), part: 'value', facts: { selector } };
  },

  message: ({ facts }) => \`TODO: say what is wrong with \${facts.selector}\`,
});
`;
}

function kustomizeRule({ code, name }) {
  return `import { asText } from '../../base/json';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';

interface Facts {
  readonly prefix: string;
}

export default defineRule<Facts>({
${meta(code, { category: 'reference', severity: 'warning', cost: 'typing', project: 'kustomize' })}
  on: 'any',
  reads: ['kustomization'],

  *check({ value }) {
    const prefix = asText(value.namePrefix);
    if (prefix === '${name}') yield { at: FieldPath.of('namePrefix'), part: 'value', facts: { prefix } };
  },

  message: ({ facts }) => \`TODO: say what is wrong with \${facts.prefix}\`,
});
`;
}
