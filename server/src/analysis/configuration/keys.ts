import { isObject, type JsonObject, type JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import { CLUSTER_SOURCES, parseClusterSource, sourceText } from '../../cluster/sources/source';
import { dns1123LabelErrors } from '../../kube/names';
import { knownVersion, releaseOf, supportedMinors, unknownPatch, versionText } from '../../kube/version';
import { CONFTEST_SCHEMA, readConftest } from '../../policy/conftest/settings';
import { RULES_SCHEMA, readRules } from '../../policy/property/readRules';
import { nearestCode, unknownCode } from '../../rules/engine/explain';
import { readNodePorts } from '../../rules/framework/nodePorts';
import type { Preset } from '../../rules/framework/rule';
import { SEVERITIES } from '../../rules/framework/severities';
import { readPodSecurity } from '../../rules/security/configuration';
import { AUTO_VERSION, type Settings } from './settings';

/** Reports a problem of a value: a clause that follows its path, and the steps from the key's value to the location. */
export type OnConfigurationProblem = (
  clause: string,
  at?: readonly (string | number)[],
  severity?: 'error' | 'warning' | 'hint',
) => void;

/** A key of berth.yaml: its documentation, schema and reader. */
export interface ConfigurationKey {
  readonly name: string;
  /** For hover, completion and the schema. */
  readonly summary: string;
  /** JSON schema of the value. */
  readonly schema: JsonObject;
  /** The settings of a value. Problems are reported, and invalid parts left out. */
  readonly read: (value: JsonValue, complain: OnConfigurationProblem) => Partial<Settings>;
}

export const SEVERITIES_AND_OFF = [...SEVERITIES, 'off'] as const;

export const PRESETS = ['best-practice'] as const satisfies readonly Preset[];

const isSeverity = (it: JsonValue): it is (typeof SEVERITIES_AND_OFF)[number] =>
  SEVERITIES_AND_OFF.some(known => known === it);
const isBoolean = (it: JsonValue): it is boolean => typeof it === 'boolean';

/** The keys at the top and in each environment. A new key needs one entry here: all readers use this list. */
export const CONFIGURATION_KEYS: readonly ConfigurationKey[] = [
  {
    name: 'kubernetesVersion',
    summary:
      'The version whose API server and scheduler Berth speaks for: `1.37`, or a patch release such as `1.37.2`; `auto`, the default, is that of the cluster.',
    schema: { type: ['string', 'number'], examples: supportedMinors },
    read: (value, complain) => {
      if (typeof value !== 'string' && typeof value !== 'number') {
        complain(t('must be a version such as "1.37" or "1.37.2"'));
        return {};
      }
      if (value === AUTO_VERSION) return { kubernetesVersion: AUTO_VERSION };
      const version = knownVersion(String(value));
      if (version === undefined) {
        complain(t`"${value}" is not known to Berth; it knows ${supportedMinors.join(', ')}`);
        return {};
      }
      const note = unknownPatch(version);
      if (note === undefined) return { kubernetesVersion: versionText(version) };
      complain(`: ${note.replace(/[.。]$/, '')}`, [], 'hint');
      return { kubernetesVersion: versionText(releaseOf(version)) };
    },
  },
  {
    name: 'featureGates',
    summary: 'Feature gates that differ from the defaults of the minor: name → `true` or `false`.',
    schema: { type: 'object', additionalProperties: { type: 'boolean' } },
    read: (value, complain) => ({ featureGates: entriesOf(value, isBoolean, t('must be true or false'), complain) }),
  },
  {
    name: 'severity',
    summary: 'Code → severity that replaces the rule’s own; `off` silences it.',
    schema: {
      type: 'object',
      additionalProperties: { enum: SEVERITIES_AND_OFF },
    },
    read: (value, complain) => {
      const severity = entriesOf(
        withOff(value),
        isSeverity,
        t`must be one of: ${SEVERITIES_AND_OFF.join(', ')}`,
        complain,
      );
      const nearestOf = nearestCode();
      for (const code of Object.keys(severity)) {
        const unknown = unknownCode(code, nearestOf);
        if (unknown !== undefined) complain(unknown, [code], 'warning');
      }
      return { severity };
    },
  },
  {
    name: 'completeSources',
    summary: 'Whether every object is in the workspace: a reference to something defined nowhere is an error then.',
    schema: { type: 'boolean' },
    read: (value, complain) => {
      if (isBoolean(value)) return { completeSources: value };
      complain(t('must be true or false'));
      return {};
    },
  },
  {
    name: 'presets',
    summary: 'Sets of opinions that are asked for; `best-practice` is what the well-known linters ask for.',
    schema: { type: 'array', items: { enum: PRESETS } },
    read: (value, complain) => {
      const presets = PRESETS.filter(it => Array.isArray(value) && value.includes(it));
      const isWrong = !Array.isArray(value) || value.length !== presets.length;
      if (isWrong) complain(t`must be a list of: ${PRESETS.join(', ')}`);
      return { presets };
    },
  },
  {
    name: 'rules',
    summary: 'Assertions on objects: each a name, a CEL `expression` over `object` or `pod`, a message, a selection.',
    schema: RULES_SCHEMA,
    read: (value, complain) => ({ rules: readRules(value, complain) }),
  },
  {
    name: 'podSecurity',
    summary: 'What the API server is told of Pod security, in the shape of its PodSecurityConfiguration.',
    schema: { type: 'object' },
    read: (value, complain) => {
      const { podSecurity, problems } = readPodSecurity(value);
      for (const problem of problems) complain(`: ${problem}`);
      return { podSecurity };
    },
  },
  {
    name: 'serviceNodePortRange',
    summary:
      'The node ports of Services, as the flag of kube-apiserver gives them; `30000-32767` when it is not given.',
    schema: { type: 'string', pattern: '^\\d+[-+]\\d+$', examples: ['30000-32767'] },
    read: (value, complain) => {
      const nodePorts = typeof value === 'string' ? readNodePorts(value) : undefined;
      if (nodePorts !== undefined) return { nodePorts };
      complain(t('must be a range of ports such as "30000-32767"'));
      return {};
    },
  },
  {
    name: 'cluster',
    summary:
      'Where Nodes and running Pods come from: `auto`, `default`, `workspace`, `kind:FILE`, `snapshot:FILE` or `live:CONTEXT`.',
    schema: {
      type: 'string',
      examples: ['auto', 'default', 'workspace', 'kind:kind.yaml', 'snapshot:cluster.yaml', 'live'],
    },
    read: (value, complain) => {
      const parsed = parseClusterSource(typeof value === 'string' ? value : '');
      if ('source' in parsed) return { cluster: sourceText(parsed.source) };
      complain(t`must be one of: ${CLUSTER_SOURCES}`);
      return {};
    },
  },
  {
    name: 'namespace',
    summary: 'The namespace of objects that are written without one; `default` when it is not given.',
    schema: { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 },
    read: (value, complain) => {
      const [wrong] = typeof value === 'string' ? dns1123LabelErrors(value) : [t('must be a string')];
      if (wrong === undefined && typeof value === 'string') return { namespace: value };
      complain(t`is no name of a namespace: ${wrong}`);
      return {};
    },
  },
  {
    name: 'baseline',
    summary: 'The file that `berth baseline` wrote, from the folder of this file: problems that it knows are not told.',
    schema: { type: 'string' },
    read: (value, complain) => {
      if (typeof value === 'string' && value !== '') return { baseline: value };
      complain(t('must be the path of a file'));
      return {};
    },
  },
  {
    name: 'conftest',
    summary:
      'How Rego is asked, in the words of Conftest: folders of `policy` and `data`, `namespaces`, `combine`, `ignore`, …',
    schema: CONFTEST_SCHEMA,
    read: (value, complain) => {
      const conftest = readConftest(value, complain);
      return conftest === undefined ? {} : { conftest };
    },
  },
  {
    name: 'schedulerConfig',
    summary: 'The file of a KubeSchedulerConfiguration, from the folder of this file.',
    schema: { type: 'string' },
    read: (value, complain) => {
      if (typeof value === 'string' && value !== '') return { schedulerConfig: value };
      complain(t('must be the path of a file'));
      return {};
    },
  },
];

/** `off` without quotes is false in YAML 1.1, and what else it may mean here nobody writes. */
function withOff(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([code, it]) => [code, it === false ? 'off' : (it ?? null)]));
}

function entriesOf<T extends JsonValue>(
  value: JsonValue,
  isValid: (entry: JsonValue) => entry is T,
  wanted: string,
  complain: OnConfigurationProblem,
): Readonly<Record<string, T>> {
  if (!isObject(value)) {
    complain(wanted);
    return {};
  }
  const valid: [string, T][] = [];
  for (const [key, entry] of Object.entries(value)) {
    if (isValid(entry)) valid.push([key, entry]);
    else complain(wanted, [key]);
  }
  return Object.fromEntries(valid);
}
