import { withoutMendedByLimits } from '../apiserver/limitRanged';
import { MOST_OF_ONE_OBJECT, type RuleContext, type RuleFinding, type RuleTarget } from '../framework/rule';
import { consequencesOf } from './consequences';
import type { RuleOptions } from './ruleOptions';
import { isFromServer } from './selection';
import { isReplaced, isTemplated } from './templated';

export interface Reported {
  readonly found: RuleFinding;
  /** `replaced`: a problem of a value that all overlays replace. */
  readonly as: 'problem' | 'consequence' | 'replaced';
}

/** What is reported of the findings in one object, and as what. */
export function reportedOf(
  all: readonly RuleFinding[],
  target: RuleTarget,
  context: RuleContext,
  options: Pick<RuleOptions, 'onBug'>,
): readonly Reported[] {
  const isUnserved = target.kind?.served === 'no';
  const certain = withoutMendedByLimits(withoutGeneralDuplicates(all), target, context).filter(
    it => !(isUnserved && isFromServer(it.rule.meta)) && !isTemplated(it.finding, target, context),
  );
  const replaced = new Set(certain.filter(it => isReplaced(it.finding, target, context)));
  const reported = replaced.size === 0 ? certain : certain.filter(it => !replaced.has(it));
  const consequences = consequencesIn(reported, target, options);
  const marked = reported.map(
    (found): Reported => ({ found, as: consequences.has(found) ? 'consequence' : 'problem' }),
  );
  return [...counted(marked), ...Array.from(replaced, (found): Reported => ({ found, as: 'replaced' }))];
}

/** Drops a general rule's finding if a special rule reports the same error of the same field, one for one. */
function withoutGeneralDuplicates(found: readonly RuleFinding[]): readonly RuleFinding[] {
  if (!found.some(it => it.rule.meta.isGeneral === true)) return found;
  const keyOf = ({ rule, finding }: RuleFinding): string =>
    `${rule.meta.category} ${finding.errorType ?? ''} ${finding.fieldPath ?? finding.at.toString()}`;
  const special = new Map<string, number>();
  for (const it of found) {
    if (it.rule.meta.isGeneral !== true) special.set(keyOf(it), (special.get(keyOf(it)) ?? 0) + 1);
  }
  return found.filter(it => {
    const left = special.get(keyOf(it)) ?? 0;
    if (it.rule.meta.isGeneral !== true || left === 0) return true;
    special.set(keyOf(it), left - 1);
    return false;
  });
}

/** Consequences among the findings; none if an exception prevents the answer. */
function consequencesIn(
  reported: readonly RuleFinding[],
  target: RuleTarget,
  { onBug }: Pick<RuleOptions, 'onBug'>,
): ReadonlySet<RuleFinding> {
  try {
    return consequencesOf(reported, target);
  } catch (error) {
    onBug('follows', error);
    return new Set();
  }
}

/** The first findings of each rule, of which the last counts the rest. */
function counted(all: readonly Reported[]): readonly Reported[] {
  if (all.length <= MOST_OF_ONE_OBJECT) return all;
  const kept: Reported[] = [];
  const groups = new Map<string, { count: number; last: number; more: number }>();
  for (const it of all) {
    const { rule, finding } = it.found;
    const key = `${rule.meta.code} ${finding.severity} ${it.as}`;
    const group = groups.get(key) ?? { count: 0, last: 0, more: 0 };
    groups.set(key, group);
    group.count += 1;
    if (group.count > MOST_OF_ONE_OBJECT) group.more += 1 + (finding.more ?? 0);
    else group.last = kept.push(it) - 1;
  }
  for (const { last, more } of groups.values()) if (more > 0) kept[last] = counting(kept[last]!, more);
  return kept;
}

function counting({ found, as }: Reported, more: number): Reported {
  const finding = { ...found.finding, more: more + (found.finding.more ?? 0) };
  return { found: { ...found, finding }, as };
}
