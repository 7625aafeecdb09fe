import type { JsonObject } from '../../../base/json';
import { quoted } from '../../../base/quoted';
import { items, record, records, text, texts } from '../../../kube/goFields';
import type { FieldPath } from '../../../manifest/fieldPath';
import { podSecurityControls } from '../engine/podSecurity';
import { parseKind } from '../policies/match';
import { kindsOf } from '../policies/policy';
import type { KyvernoWorld } from '../world';
import { indeterminate, ineffective, type LocatedRule, type Mistake, refused } from './mistake';

const operations = ['validate', 'mutate', 'generate', 'verifyImages'];
const checksOfObjects = ['pattern', 'anyPattern', 'deny', 'foreach', 'podSecurity', 'cel', 'manifests', 'assert'];

/** A rule has one operation, and one kind of validation. Upstream: Rule.ValidateRuleType, Validation.Validate. */
export function* wrongOperations({ rule, at }: LocatedRule): Iterable<Mistake> {
  const name = text(rule, 'name');
  if (name === '') yield refused(at, 'A rule needs a name.');
  if (name.length > 63) yield refused(at.child('name'), 'The name of a rule has at most 63 characters.');
  const own = operations.filter(it => rule[it] !== undefined);
  if (own.length === 0)
    yield refused(at.child('name'), `No operation is defined in the rule; it needs one of ${operations.join(', ')}.`);
  if (own.length > 1)
    yield refused(at.child(own[1] ?? ''), `Only one operation is allowed in a rule; here are ${own.join(' and ')}.`);
  const validate = record(rule, 'validate');
  if (validate === undefined) return;
  const checks = checksOfObjects.filter(it => validate[it] !== undefined);
  const inside = at.child('validate');
  if (checks.length === 0) yield refused(inside, `\`validate\` needs one of ${checksOfObjects.join(', ')}.`);
  if (checks.length > 1) {
    yield refused(
      inside.child(checks[1] ?? ''),
      `Only one of ${checksOfObjects.join(', ')} is allowed; here are ${checks.join(' and ')}.`,
    );
  }
}

/** Upstream: validateMatchedResource, MatchResources.Validate. */
export function* wrongFilters({ rule, at }: LocatedRule): Iterable<Mistake> {
  for (const field of ['match', 'exclude']) {
    const block = record(rule, field);
    if (block === undefined) {
      if (field === 'match') yield refused(at, 'A rule has to say which resources it matches.');
      continue;
    }
    const [any, all] = [items(block, 'any').length, items(block, 'all').length];
    if (any > 0 && all > 0) yield refused(at.child(field, 'all'), '`any` and `all` cannot be specified together.');
    if (any + all > 0 && block.resources !== undefined) {
      yield refused(
        at.child(field, 'resources'),
        `\`any\` and \`all\` cannot be specified together with the resources of \`${field}\`.`,
      );
    }
    for (const { resources, location } of filtersAt(rule, at, field)) {
      if (field === 'match' && resources !== undefined && texts(resources, 'kinds').length === 0) {
        yield refused(location, 'At least one kind has to be named when resources are matched.');
      }
    }
  }
}

interface LocatedResources {
  readonly resources: JsonObject | undefined;
  readonly location: FieldPath;
}

/** What the filters of `any` and `all` say of resources. */
function filtersAt(rule: JsonObject, at: FieldPath, field: string): readonly LocatedResources[] {
  return ['any', 'all'].flatMap(mode =>
    records(record(rule, field), mode).map((filter, i) => ({
      resources: record(filter, 'resources'),
      location: at.child(field, mode).index(i).child('resources'),
    })),
  );
}

/** Resources such as `pods` in place of kinds. Kyverno takes them with a warning. Upstream: validateKinds. */
export function* wrongKinds({ rule, at }: LocatedRule, kindLike: KyvernoWorld['kindLike']): Iterable<Mistake> {
  const described = ['match', 'exclude'].flatMap((field): readonly LocatedResources[] => [
    { resources: record(record(rule, field), 'resources'), location: at.child(field, 'resources') },
    ...filtersAt(rule, at, field),
  ]);
  for (const { resources, location } of described) {
    for (const [i, written] of texts(resources, 'kinds').entries()) {
      const { group, kind } = parseKind(written);
      const meant = kindLike(group, kind);
      if (meant === undefined) continue;
      yield ineffective(
        location.child('kinds').index(i),
        `There is no kind ${quoted(kind)}, so that this matches nothing; did you mean ${quoted(meant)}?`,
      );
    }
  }
}

/** A rule about every kind can only use metadata. Upstream: validateWildcard. */
export function* wrongWildcards({ policy, rule, at }: LocatedRule): Iterable<Mistake> {
  const kinds = kindsOf(record(rule, 'match'));
  const location = at.child('match');
  if (!kinds.includes('*')) return;
  if (policy.spec.background !== false) {
    yield refused(
      location,
      'A rule about all kinds (`*`) is not allowed in background mode; set `spec.background: false`.',
    );
  }
  if (kinds.length > 1) yield refused(location, 'A rule about all kinds (`*`) cannot name other kinds.');
  const validate = record(rule, 'validate');
  const [type] = ['foreach', 'podSecurity'].filter(it => validate?.[it] !== undefined);
  if (type !== undefined || rule.generate !== undefined || rule.verifyImages !== undefined) {
    yield refused(location, 'A rule about all kinds (`*`) does not support this type of rule.');
  }
  const pattern = record(validate, 'pattern');
  const foreign = Object.keys(pattern ?? {}).find(it => it.replace(/^[+<=X^]?\((.+)\)$/, '$1') !== 'metadata');
  if (foreign !== undefined) {
    yield refused(
      at.child('validate', 'pattern', foreign),
      'A rule about all kinds (`*`) can only look at the metadata of the resource.',
    );
  }
}

const restrictedOnly = ['Volume Types', 'Privilege Escalation', 'Running as Non-root', 'Running as Non-root user'];

/** Upstream: Rule.ValidatePSaControlNames, PodSecurityStandard.Validate. */
export function* wrongPodSecurity({ rule, at }: LocatedRule): Iterable<Mistake> {
  const podSecurity = record(record(rule, 'validate'), 'podSecurity');
  const location = at.child('validate', 'podSecurity');
  const level = text(podSecurity, 'level');
  if (podSecurity !== undefined && !['privileged', 'baseline', 'restricted'].includes(level)) {
    yield refused(location.child('level'), 'The level has to be one of privileged, baseline, restricted.');
  }
  const version = text(podSecurity, 'version');
  if (version !== '' && !/^(latest|v1\.\d+)$/.test(version))
    yield refused(location.child('version'), 'The version has to be `latest` or `v1.x`.');
  for (const [i, exclude] of records(podSecurity, 'exclude').entries()) {
    const control = text(exclude, 'controlName');
    const inside = location.child('exclude').index(i);
    if (!podSecurityControls.includes(control)) {
      yield refused(
        inside.child('controlName'),
        `There is no control ${JSON.stringify(control)}; there are ${podSecurityControls.join(', ')}.`,
      );
    } else if (level === 'baseline' && restrictedOnly.includes(control)) {
      yield refused(
        inside.child('controlName'),
        `The control ${JSON.stringify(control)} is not part of the level baseline.`,
      );
    }
    if (text(exclude, 'restrictedField') === '' && texts(exclude, 'values').length > 0) {
      yield refused(inside.child('values'), 'Values need a `restrictedField`.');
    }
  }
}

/** Parts of a rule that need a cluster or have no effect, reported once, at the rule. */
export function* notEvaluated({ rule, at }: LocatedRule): Iterable<Mistake> {
  const validate = record(rule, 'validate');
  if (validate?.manifests !== undefined)
    yield indeterminate(
      at.child('validate', 'manifests'),
      'Signatures of manifests are verified with keys, so this rule is not evaluated here.',
    );
  if (validate?.assert !== undefined)
    yield ineffective(
      at.child('validate', 'assert'),
      '`assert` has no effect since Kyverno 1.19: the rule checks nothing. A ValidatingPolicy can say the same in CEL.',
    );
}
