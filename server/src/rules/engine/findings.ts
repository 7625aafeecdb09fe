import type { Steps } from '../../base/steps';
import {
  type AnyRule,
  MOST_OF_ONE_OBJECT,
  type RuleContext,
  type RuleFinding,
  type RuleTarget,
} from '../framework/rule';
import { foundAloneIn, type RulesByCost } from './ruleCache';
import type { RuleOptions } from './ruleOptions';
import { isFromServer } from './selection';
import { isWithoutNames } from './shareable';
import { isReplaced, isTemplated } from './templated';
import { textWithoutNames } from './textWithoutNames';
import { inBoth, possibleTargets } from './unreadValues';

/** What the rules find in one object, as far as the server's answer is known where it cannot decode some value. */
export function* findingsIn(
  target: RuleTarget,
  rules: RulesByCost,
  context: RuleContext,
  options: RuleOptions,
): Steps<readonly RuleFinding[]> {
  const own = { ...context, answers: new Map() };
  const inItself = yield* typingFindings(target, rules, own, options);
  const slow = context.placement === undefined ? NOTHING : yield* findingsOf(target, rules.placement, own, options);
  const amongOthers = [...(yield* findingsOf(target, rules.workspace, own, options)), ...slow];
  if (inItself.length + amongOthers.length === 0) return NOTHING;
  const undecoded = inItself.filter(isFatal);
  if (undecoded.length === 0) return [...inItself, ...amongOthers];
  return [
    ...inItself,
    ...(yield* beyondUndecoded(target, undecoded, rules, own, options)),
    ...amongOthers.filter(it => !isFromServer(it.rule.meta)),
  ];
}

function* typingFindings(
  target: RuleTarget,
  rules: RulesByCost,
  context: RuleContext,
  options: RuleOptions,
): Steps<readonly RuleFinding[]> {
  const cache = options.cache && foundAloneIn(options.cache, target);
  const key = target.object.manifest.contentId;
  const known = cache?.found.get(key);
  if (known !== undefined) return known;
  const nameless = cache?.alike.isWorthIt() === true ? textWithoutNames(target) : undefined;
  const shared = nameless && cache?.alike.get(nameless.text);
  const found = shared ?? (yield* inOneObject(target, rules, context, options));
  if (nameless !== undefined && shared === undefined && found.every(it => isWithoutNames(it.finding, nameless.names)))
    cache?.alike.set(nameless.text, found);
  cache?.found.set(key, found);
  return found;
}

/** Where the server cannot decode the object, what it would say of the values is not computed: it is never reported. */
function* inOneObject(
  target: RuleTarget,
  { decode, typing, notOfServer }: RulesByCost,
  context: RuleContext,
  options: RuleOptions,
): Steps<readonly RuleFinding[]> {
  const ofDecoder = yield* findingsOf(target, decode, context, options);
  const others = yield* findingsOf(target, ofDecoder.some(isFatal) ? notOfServer : typing, context, options);
  if (ofDecoder.length === 0) return others;
  return others.length === 0 ? ofDecoder : [...ofDecoder, ...others];
}

/**
 * What the server says of an object apart from values that it cannot decode, where other tools set all of these; nothing where
 * it refuses them.
 */
function* beyondUndecoded(
  target: RuleTarget,
  undecoded: readonly RuleFinding[],
  { typing, workspace }: RulesByCost,
  context: RuleContext,
  options: RuleOptions,
): Steps<readonly RuleFinding[]> {
  const isSetLater = ({ finding }: RuleFinding): boolean =>
    isTemplated(finding, target, context) || isReplaced(finding, target, context);
  const targets = undecoded.every(isSetLater) ? possibleTargets(target, undecoded, context) : undefined;
  if (targets === undefined) return NOTHING;
  // What rules of cost `typing` find depends on the object alone, and hundreds of overlays may build it.
  const cache = options.cache && foundAloneIn(options.cache, target).beyond;
  const key = target.object.manifest.contentId;
  const alone = cache?.get(key) ?? (yield* saidOfBoth(targets, typing, context, options));
  cache?.set(key, alone);
  return [...alone, ...(yield* saidOfBoth(targets, workspace, context, options))];
}

/** What rules of the server find in an object both with values left out and with plausible ones. */
function* saidOfBoth(
  [without, plausible]: readonly [RuleTarget, RuleTarget],
  all: readonly AnyRule[],
  context: RuleContext,
  options: RuleOptions,
): Steps<readonly RuleFinding[]> {
  const rules = all.filter(it => isFromServer(it.meta));
  if (rules.length === 0) return NOTHING;
  const found = yield* findingsOf(without, rules, { ...context, answers: new Map() }, options);
  if (found.length === 0) return NOTHING;
  return inBoth(found, yield* findingsOf(plausible, rules, { ...context, answers: new Map() }, options));
}

/**
 * A type error stops the API server's decoder, so that the server reports nothing about the object's values. An object
 * that cannot be decoded is refused before fields of disabled gates are dropped.
 */
function isFatal({ rule, finding }: RuleFinding): boolean {
  if (rule.meta.category !== 'decode') return false;
  return finding.errorType !== 'UnknownField' && finding.errorType !== 'DuplicateField';
}

const NOTHING: readonly RuleFinding[] = [];

function* findingsOf(
  target: RuleTarget,
  rules: readonly AnyRule[],
  context: RuleContext,
  options: RuleOptions,
): Steps<readonly RuleFinding[]> {
  const found: RuleFinding[] = [];
  const isSlow = isLong(target);
  for (const rule of rules) {
    if (isSlow) yield;
    const first = found.length;
    let more = 0;
    try {
      const findings = rule.check(target, context);
      if (Array.isArray(findings) && findings.length === 0) continue;
      for (const finding of findings) {
        if (found.length - first < MOST_FOUND) found.push({ rule, finding });
        else more += 1 + (finding.more ?? 0);
      }
    } catch (error) {
      options.onBug(rule.meta.code, error);
    }
    const last = found.at(-1);
    if (more > 0 && last !== undefined)
      found[found.length - 1] = { rule, finding: { ...last.finding, more: more + (last.finding.more ?? 0) } };
  }
  return found.length === 0 ? NOTHING : found;
}

/**
 * How many findings of one rule in one object are kept. Fewer are listed: `MOST_OF_ONE_OBJECT` for each code and
 * severity, consequences apart.
 */
const MOST_FOUND = 3 * MOST_OF_ONE_OBJECT;

/** So many characters make an object long: each rule takes a while, and so do the words for each of its problems. */
const LONG_TEXT = 100_000;

export function isLong({ object: { manifest } }: RuleTarget): boolean {
  return manifest.span.end - manifest.span.start > LONG_TEXT;
}
