import { asObjects, objectOrEmpty, type UnknownObject } from '../base/json';
import { t } from '../base/l10n';
import { nearestNames } from '../base/nearest';
import { ownOf } from '../base/ownOf';
import { ARG_CHECKS } from './argChecks';
import { type ArgFields, type ArgShape, PLUGIN_FACTS, POLICY_FIELDS } from './fields';
import { type DeschedulerExtensionPoint, EXTENSION_POINTS, withoutNulls } from './policy';

export { isDeschedulerPolicy } from './policy';

type Path = readonly (string | number)[];

/** An error or a warning about a policy. */
export interface PolicyProblem {
  readonly kind: 'plugin' | 'point' | 'argument' | 'type' | 'value' | 'unused' | 'ignored' | 'missingConfig';
  readonly at: Path;
  /** A clause in plain words. */
  readonly text: string;
  /** The text of the descheduler itself, where it has one. */
  readonly upstream?: string;
  readonly nearest: readonly string[];
}

/**
 * Everything that keeps the descheduler from starting with a policy (except `unused` and `ignored`). Values of a wrong
 * type are reported once; what depends on them is not. Upstream: validateDeschedulerConfiguration, profile.NewProfile.
 */
export function policyProblems(policy: UnknownObject): readonly PolicyProblem[] {
  // The policy is decoded leniently, its args strictly.
  const own = fieldProblems(policy, POLICY_FIELDS, []).map(it =>
    it.kind === 'argument' ? { ...it, kind: 'ignored' as const } : it,
  );
  const profiles = asObjects(policy.profiles).flatMap((profile, i) => profileProblems(profile, ['profiles', i]));
  return [...own, ...profiles];
}

/** What keeps the descheduler from starting with a policy. */
export const policyRefusals = (policy: UnknownObject): readonly PolicyProblem[] =>
  policyProblems(policy).filter(it => it.kind !== 'unused' && it.kind !== 'ignored');

function profileProblems(profile: UnknownObject, at: Path): readonly PolicyProblem[] {
  const configs = asObjects(profile.pluginConfig);
  const configured = new Set(configs.map(it => textOf(it.name)));
  const enabled = enabledIn(profile, at);
  const isEnabled = new Set([...enabled.map(it => it.name), 'DefaultEvictor']);
  return [
    ...configs.flatMap((it, j) => configProblems(it, [...at, 'pluginConfig', j], isEnabled)),
    ...enabled.flatMap(it => enabledProblems(it, configured)),
  ];
}

function configProblems(config: UnknownObject, at: Path, isEnabled: ReadonlySet<string>): readonly PolicyProblem[] {
  const name = textOf(config.name);
  const facts = ownOf(PLUGIN_FACTS, name);
  if (facts === undefined)
    return [unknownPlugin(name, [...at, 'name'], `plugin ${name} in pluginConfig not registered`)];
  const unused = t`the profile does not enable ${name}, so its args do nothing`;
  const args = objectOrEmpty(config.args);
  const shape = fieldProblems(args, { apiVersion: 'string', kind: 'string', ...facts.args }, [...at, 'args']);
  const isReadable = !shape.some(it => it.kind === 'type');
  const checks = isReadable ? (ownOf(ARG_CHECKS, name) ?? []) : [];
  return [
    ...(isEnabled.has(name) ? [] : [problem('unused', [...at, 'name'], unused)]),
    ...shape,
    ...checks
      .flatMap(check => check(withoutNulls(args) as never))
      .map(it => problem('value', [...at, 'args', ...it.at], it.text)),
  ];
}

interface Enabled {
  readonly name: string;
  readonly point: DeschedulerExtensionPoint;
  readonly at: Path;
}

function enabledIn(profile: UnknownObject, at: Path): readonly Enabled[] {
  const plugins = objectOrEmpty(profile.plugins);
  return EXTENSION_POINTS.flatMap(point => {
    const { enabled } = objectOrEmpty(plugins[point]);
    const names: readonly unknown[] = Array.isArray(enabled) ? enabled : [];
    return names.map((it, i) => ({ name: textOf(it), point, at: [...at, 'plugins', point, 'enabled', i] }));
  });
}

function enabledProblems({ name, point, at }: Enabled, configured: ReadonlySet<string>): readonly PolicyProblem[] {
  const facts = ownOf(PLUGIN_FACTS, name);
  const upstream = `${point} extension point of non-existing plugins: [${name}]`;
  if (facts === undefined) return [unknownPlugin(name, at, upstream)];
  if (point === 'sort' || point === 'presort') return [];
  if (!facts.points.includes(point)) {
    const points = facts.points.join(' and ');
    return [{ ...problem('point', at, `${name} has no extension point ${point}, but ${points}`), upstream }];
  }
  if (configured.has(name) || name === 'DefaultEvictor') return [];
  const missing = problem('missingConfig', at, `${name} has no entry in pluginConfig, and needs one even without args`);
  return [{ ...missing, upstream: `unable to find "${name}" plugin config` }];
}

function unknownPlugin(name: string, at: Path, upstream: string): PolicyProblem {
  const nearest = nearestNames(name, Object.keys(PLUGIN_FACTS));
  const hint = nearest[0] === undefined ? '' : `; did you mean "${nearest[0]}"?`;
  return { ...problem('plugin', at, `it has no plugin "${name}"${hint}`), upstream, nearest };
}

/** Args are decoded strictly: an unknown field is an error. */
function fieldProblems(value: UnknownObject, fields: ArgFields, at: Path): readonly PolicyProblem[] {
  return Object.entries(value).flatMap(([name, it]): readonly PolicyProblem[] => {
    const shape = fields[name];
    if (shape !== undefined) return shapeProblems(it, shape, [...at, name]);
    const nearest = nearestNames(name, Object.keys(fields));
    const hint = nearest[0] === undefined ? '' : `; did you mean "${nearest[0]}"?`;
    return [{ ...problem('argument', [...at, name], `there is no field "${name}"${hint}`), nearest }];
  });
}

const TYPES = {
  bool: { name: 'boolean', is: (it: unknown) => typeof it === 'boolean' },
  number: { name: 'number', is: (it: unknown) => typeof it === 'number' },
  string: { name: 'string', is: (it: unknown) => typeof it === 'string' },
} as const;

function shapeProblems(value: unknown, shape: ArgShape, at: Path): readonly PolicyProblem[] {
  if (value === null || shape === 'any') return [];
  if (typeof shape === 'string') {
    const { is, name } = TYPES[shape];
    return is(value) ? [] : [problem('type', at, `this must be a ${name}`)];
  }
  if (Array.isArray(shape)) {
    const [of] = shape as readonly [ArgShape];
    if (!Array.isArray(value)) return [problem('type', at, 'this must be a list')];
    return value.flatMap((it, i) => shapeProblems(it, of, [...at, i]));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [problem('type', at, 'this must be a map')];
  }
  if ('fields' in shape) return fieldProblems(value as UnknownObject, shape.fields, at);
  const { mapOf } = shape as { readonly mapOf: ArgShape };
  return Object.entries(value).flatMap(([name, it]) => shapeProblems(it, mapOf, [...at, name]));
}

function problem(kind: PolicyProblem['kind'], at: Path, text: string): PolicyProblem {
  return { kind, at, text, nearest: [] };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
