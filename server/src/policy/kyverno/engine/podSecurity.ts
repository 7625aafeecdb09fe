import type { JsonObject, JsonValue } from '../../../base/json';
import { matchesAnyWildcard } from '../../../base/wildcard';
import { record, records, text, texts } from '../../../kube/goFields';
import { FieldPath } from '../../../manifest/fieldPath';
import type { CheckedField, PodCheck, Violation } from '../../../rules/security/check';
import type { ContainerView, PodView } from '../../../rules/security/pod';
import { isList, sprint } from '../go/goValues';
import type { Resource } from '../resource/resource';
import { KyvernoError } from '../results/failures';
import { attempt, type RuleOutcome } from '../results/outcome';

/** The checks of the Pod Security Standards, shared with Berth's own rules. */
export interface PodSecurityChecks {
  readonly checks: readonly PodCheck[];
  /** The Pod of a resource; undefined when it has none. */
  viewOf(resource: Resource): PodView | undefined;
}

/** Codes of the checks for each control name of a policy's `exclude`. Upstream: PSS_control_name_to_ids. */
const checksOfControl: Readonly<Record<string, readonly string[]>> = {
  Capabilities: ['capabilities-baseline', 'capabilities-restricted'],
  Seccomp: ['seccomp-profile-baseline', 'seccomp-profile-restricted'],
  'Privileged Containers': ['privileged'],
  'Host Ports': ['host-ports'],
  '/proc Mount Type': ['proc-mount'],
  HostProcess: ['windows-host-process'],
  SELinux: ['se-linux-options'],
  'Host Namespaces': ['host-namespaces'],
  'HostPath Volumes': ['host-path-volumes'],
  Sysctls: ['sysctls'],
  AppArmor: ['app-armor-profile'],
  'Privilege Escalation': ['allow-privilege-escalation'],
  'Running as Non-root': ['run-as-non-root'],
  'Running as Non-root user': ['run-as-user'],
  'Volume Types': ['restricted-volumes'],
};

export const podSecurityControls: readonly string[] = Object.keys(checksOfControl);

const NEWEST = Number.MAX_SAFE_INTEGER;

interface Found {
  readonly check: PodCheck;
  readonly violation: Violation;
}

/**
 * Evaluates a `validate.podSecurity` rule; `more` are the exclusions of exceptions. Upstream:
 * validatePssHandler.validate.
 */
export function checkPodSecurity(
  rule: JsonObject,
  resource: Resource,
  checks: PodSecurityChecks,
  more: readonly JsonObject[],
): RuleOutcome {
  const podSecurity = record(record(rule, 'validate'), 'podSecurity') ?? {};
  const pod = checks.viewOf(resource);
  if (pod === undefined)
    return { status: 'error', message: 'Error while getting new resource: could not find correct resource type' };
  const minor = attempt('failed to parse pod security api version', () => minorOf(text(podSecurity, 'version')));
  if ('outcome' in minor) return minor.outcome;
  const level = text(podSecurity, 'level');
  const evaluate = (view: PodView) => violationsOf(view, level, minor.value, checks);
  const exclusions = records(podSecurity, 'exclude');
  const left = exclusions.reduce((found, it) => without(found, it, pod, evaluate, resource), evaluate(pod));
  const name = text(rule, 'name');
  if (left.length === 0) return { status: 'pass', message: `Validation rule '${name}' passed.` };
  const excepted = more.reduce((found, it) => without(found, it, pod, evaluate, resource), left);
  if (excepted.length === 0) return { status: 'skip', message: 'rule is skipped due to policy exceptions' };
  const reasons = excepted.map(it => reasonOf(it, resource)).join('');
  const message = `Validation rule '${name}' failed. It violates PodSecurity "${level}:${text(podSecurity, 'version')}": ${reasons}`;
  const at = excepted[0]?.violation.fields[0]?.at;
  return { status: 'fail', message, ...(at && { at }) };
}

/** Upstream: pss.ParseVersion. */
function minorOf(version: string): number {
  if (version === '' || version === 'latest') return NEWEST;
  const minor = /^v1\.(\d+)$/.exec(version)?.[1];
  if (minor === undefined) throw new KyvernoError('must be "latest" or "v1.x"');
  return Number(minor);
}

/** The violations of the level and those below. Unlike admission, no check replaces another. Upstream: evaluatePSS. */
function violationsOf(pod: PodView, level: string, minor: number, { checks }: PodSecurityChecks): readonly Found[] {
  return checks.flatMap(check => {
    if (level === 'baseline' && check.level !== 'baseline') return [];
    const evaluate = check.versions.findLast(it => it.since <= minor)?.check ?? check.versions[0]?.check;
    const violation = evaluate?.(pod);
    return violation === undefined ? [] : [{ check, violation }];
  });
}

/** The violations that remain after the exclusion of one control. Upstream: ApplyPodSecurityExclusion. */
function without(
  found: readonly Found[],
  exclude: JsonObject,
  pod: PodView,
  evaluate: (pod: PodView) => readonly Found[],
  resource: Resource,
): readonly Found[] {
  const codes = (checksOfControl[text(exclude, 'controlName')] ?? []).map(it => `security/${it}`);
  const images = texts(exclude, 'images');
  const part = images.length === 0 ? podLevelOf(pod) : containersOf(pod, images);
  const excluded = new Set(
    evaluate(part)
      .filter(it => codes.includes(it.check.code))
      .flatMap(it => it.violation.fields)
      .filter(it => isExcluded(it, exclude, pod, resource))
      .map(it => it.at.toString()),
  );
  return found.flatMap(({ check, violation }) => {
    if (!codes.includes(check.code)) return [{ check, violation }];
    const places = violation.fields.filter(it => !excluded.has(it.at.toString()));
    return places.length === 0 ? [] : [{ check, violation: { ...violation, fields: places } }];
  });
}

/** The Pod with one empty container. */
function podLevelOf(pod: PodView): PodView {
  const fake: ContainerView = {
    name: 'fake',
    at: pod.at.child('containers').index(0),
    value: { name: 'fake' },
    context: undefined,
  };
  return { ...pod, containers: [fake] };
}

/** The containers with certain images, in a Pod without Pod-level fields. */
function containersOf(pod: PodView, images: readonly string[]): PodView {
  const containers = pod.containers.filter(it => matchesAnyWildcard(images, text(it.value, 'image')));
  return {
    ...pod,
    containers,
    spec: {},
    context: undefined,
    annotation: [],
    isWindows: false,
    isInUserNamespace: false,
  };
}

function isExcluded({ at }: CheckedField, exclude: JsonObject, pod: PodView, resource: Resource): boolean {
  const field = text(exclude, 'restrictedField');
  if (field !== '' && ![fieldName(at, pod), fieldName(at, pod).replace(/\[\*\]$/, '')].includes(field)) return false;
  const values = texts(exclude, 'values');
  return values.length === 0 || badValues(at, resource).every(it => matchesAnyWildcard(values, it));
}

/** `spec.containers[*].securityContext.privileged`, for templates, too. */
function fieldName(at: FieldPath, pod: PodView): string {
  const inSpec = at.segments.slice(pod.at.segments.length);
  return FieldPath.of('spec', ...inSpec)
    .toString()
    .replace(/\d+/g, '*');
}

/** Upstream: extractBadValues. */
function badValues(at: FieldPath, resource: Resource): readonly string[] {
  const value = valueAt(at, resource);
  const values = isList(value) ? value : [value];
  return values.filter(it => it !== undefined && it !== null && it !== '' && typeof it !== 'object').map(sprint);
}

function valueAt(at: FieldPath, { value }: Resource): JsonValue | undefined {
  return at.segments.reduce<JsonValue | undefined>((it, step) => {
    if (typeof it !== 'object' || it === null) return undefined;
    return (it as Record<string | number, JsonValue>)[typeof step === 'object' ? step.key : step];
  }, value);
}

/** Upstream: pss.FormatChecksPrint. */
function reasonOf({ violation }: Found, resource: Resource): string {
  const fields = violation.fields.map(({ at }) => {
    const values = badValues(at, resource);
    return values.length === 0
      ? `${at}: Required value`
      : `${at} is forbidden, forbidden values found: ${values.join(' ')}`;
  });
  return `(Forbidden reason: ${violation.reason}, field error list: [${fields.join(', ')}])`;
}
