import { t } from '../../base/l10n';
import { lazyByText } from '../../base/lazy';
import { quoted } from '../../base/quoted';
import { hasWildcard, matchesWildcard } from '../../base/wildcard';
import { record, records, text, texts } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../../workspace/object';
import { defineRule, type Finding, type RuleContext, type RuleTarget } from '../framework/rule';
import { absenceSeverity, absenceText } from '../reading/absence';
import { exists, inWords, isName, type Missing, nearest } from './missing';

const OLD_GROUP = 'kyverno.io';
const GROUP = 'policies.kyverno.io';

/** A policy, or one of its rules, that is not there. */
interface Facts extends Missing {
  /** The name of a rule or a pattern, where the policy itself is there. */
  readonly rule?: string;
}

export default defineRule<Facts>({
  meta: {
    code: 'references/excepted-policy-missing',
    category: 'reference',
    severity: 'error',
    cost: 'workspace',
    summary: 'A PolicyException of Kyverno names a policy or a rule that is defined nowhere.',
    why: 'Kyverno takes the exception and exempts nothing: what it is for is still refused.',
    remedy: 'Correct the name, or define the policy or the rule.',
    details:
      'A Policy is named with its namespace: `shop/require-labels`. Rules may be named by patterns, and those that Kyverno makes for Pod controllers as `autogen-NAME` and `autogen-cronjob-NAME`.',
    url: 'https://kyverno.io/docs/guides/exceptions/',
  },
  on: ['PolicyException'],

  *check(target, context) {
    const { group } = target.object;
    if (group === OLD_GROUP) yield* inOldException(target, context);
    if (group === GROUP) yield* inException(target, context);
  },

  message: ({ facts, severity }, context) =>
    facts.rule === undefined
      ? t`${inWords(facts)} ${absenceText(context, severity)}, so this exempts nothing`
      : t`${inWords(facts)} has no rule ${quoted(facts.rule)}, so this exempts nothing`,

  fixes: ({ at, facts }, { object }, context, edit) => {
    const { group, kind, namespace, name, rule } = facts;
    const names =
      rule === undefined
        ? policyNames(context, facts)
        : writtenRules(context.snapshot.find(group, kind, namespace, name));
    return nearest(rule ?? asWritten(facts), names).map(it => ({
      title: t`Change to ${it}`,
      safety: 'unsafe' as const,
      edits: [edit.replaceValue(object, at, it)],
    }));
  },
});

/** Of rules of ClusterPolicies and Policies, which are named `NAME` and `NAMESPACE/NAME`. */
function* inOldException({ value }: RuleTarget, context: RuleContext): Iterable<Finding<Facts>> {
  const rulesOf = lazyByText(written => ruleFinder(context.snapshot.find(...keyOf(oldPolicy(written)))));
  for (const [i, entry] of records(record(value, 'spec'), 'exceptions').entries()) {
    const at = FieldPath.of('spec', 'exceptions').index(i);
    const written = text(entry, 'policyName');
    const policy = oldPolicy(written);
    if (!isThere(policy, context)) {
      yield { at: at.child('policyName'), part: 'value', facts: policy, severity: absenceSeverity(context, policy) };
      continue;
    }
    const isRule = rulesOf(written);
    for (const [j, rule] of texts(entry, 'ruleNames').entries()) {
      if (isRule(rule)) continue;
      const ruleAt = at.child('ruleNames').index(j);
      yield { at: ruleAt, part: 'value', facts: { ...policy, rule }, severity: absenceSeverity(context) };
    }
  }
}

function oldPolicy(written: string): Missing {
  const slash = written.indexOf('/');
  const name = written.slice(slash + 1);
  if (slash < 0) return { group: OLD_GROUP, kind: 'ClusterPolicy', namespace: undefined, name };
  return { group: OLD_GROUP, kind: 'Policy', namespace: written.slice(0, slash), name };
}

/** Of policies that are named by their kinds. Kyverno asks for no namespace there. */
function* inException({ object, value }: RuleTarget, context: RuleContext): Iterable<Finding<Facts>> {
  const written = lazyByText(kind => new Set(context.snapshot.objectsOf(GROUP, kind).map(it => it.name)));
  for (const [i, entry] of records(record(value, 'spec'), 'policyRefs').entries()) {
    const [kind, name] = [text(entry, 'kind'), text(entry, 'name')];
    if (!/^[A-Z]\w*Policy$/.test(kind) || written(kind).has(name)) continue;
    const namespace = kind.startsWith('Namespaced') ? (object.namespace ?? 'default') : undefined;
    const policy = { group: GROUP, kind, namespace, name };
    if (isThere(policy, context)) continue;
    const at = FieldPath.of('spec', 'policyRefs').index(i).child('name');
    yield { at, part: 'value', facts: policy, severity: absenceSeverity(context, policy) };
  }
}

const keyOf = ({ group, kind, namespace, name }: Missing) => [group, kind, namespace, name] as const;

const isThere = (policy: Missing, context: RuleContext): boolean =>
  exists(context, { to: 'object', ...policy, scope: 'known' });

/** So many rules of a policy are compared with patterns. */
const MOST_COMPARED = 100;

/** Whether a policy has a rule of a name, or rules that match a pattern. Anything is, where the rules are not known. */
function ruleFinder(policies: readonly WorkspaceObject[]): (name: string) => boolean {
  const written = writtenRules(policies);
  const all = new Set(written.flatMap(withAutogen));
  return name => {
    if (written.length === 0 || !/^[\w.*?-]+$/.test(name) || all.has(name)) return true;
    if (!hasWildcard(name)) return false;
    return written.length > MOST_COMPARED || [...all].some(it => matchesWildcard(name, it));
  };
}

/** The names of the rules of policies; none where one of them is not known. */
function writtenRules(policies: readonly WorkspaceObject[]): readonly string[] {
  const names = policies.flatMap(it => records(record(it.manifest.value, 'spec'), 'rules')).map(it => text(it, 'name'));
  return names.every(isName) ? names : [];
}

/** A rule with those that Kyverno makes of it. Upstream: getAutogenRuleName. */
const withAutogen = (rule: string): readonly string[] =>
  [rule, `autogen-${rule}`, `autogen-cronjob-${rule}`].map(it => it.slice(0, 63));

/** How exceptions write the name of a policy. */
const asWritten = ({ kind, namespace, name }: Missing): string => (kind === 'Policy' ? `${namespace}/${name}` : name);

const policyNames = ({ snapshot }: RuleContext, { group, kind }: Missing): readonly string[] =>
  (group === OLD_GROUP ? ['ClusterPolicy', 'Policy'] : [kind])
    .flatMap(it => snapshot.objectsOf(group, it))
    .flatMap(it =>
      it.name === undefined ? [] : asWritten({ group, kind: it.kind, namespace: it.namespace, name: it.name }),
    );
