import { lazy } from '../../base/lazy';
import type { Kube } from '../../kube/kube';
import type { FileRole } from '../../workspace/fileRoles';
import type { Problem } from '../framework/problem';
import type { AnyRule, RuleContext, RuleMeta, RuleTarget } from '../framework/rule';
import { EXPLORATION_FINDING } from '../metas/exploration';
import { podSpecOf } from '../reading/podSpec';
import { allRules } from './allRules';
import type { RulesByCost } from './ruleCache';
import type { RuleOptions } from './ruleOptions';

export type RulesOf = (target: RuleTarget) => RulesByCost;

/** Rules of decoding and of the API server always run, because findings of one suppress findings of another. */
function rulesToRun({ rules = allRules(), only, presets, severity }: RuleOptions): readonly AnyRule[] {
  const isOn = ({ preset, code }: RuleMeta): boolean =>
    preset === undefined || presets?.includes(preset) === true || severity?.[code] !== undefined;
  const isWanted = ({ category }: RuleMeta): boolean => only === undefined || only.includes(category);
  return rules.filter(({ meta }) => isOn(meta) && (isWanted(meta) || meta.category === 'decode' || isFromServer(meta)));
}

/** Codes of rules that did not run this time: a suppression of one may still be of use. */
export function codesNotRun(options: RuleOptions, { placement }: RuleContext): ReadonlySet<string> {
  const run = rulesToRun(options).filter(it => placement !== undefined || it.meta.cost !== 'placement');
  const ran = new Set(run);
  const codes = (options.rules ?? allRules()).filter(it => !ran.has(it)).map(it => it.meta.code);
  // Explorations are started by hand.
  return new Set([...codes, EXPLORATION_FINDING.code]);
}

const WHOLE_OBJECTS: readonly FileRole[] = ['objects'];

/** The rules for an object by cost, computed once for each kind. */
export function rulesByKind(options: RuleOptions, role: FileRole, kube: Kube): RulesOf {
  const known = options.cache?.rules ?? new Map<string, RulesByCost>();
  const rulesOfAll = lazy(() => rulesToRun(options));
  return target => {
    const hasPodSpec = podSpecOf(target) !== undefined;
    const key = `${target.object.kind} ${hasPodSpec}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const applying = rulesOfAll().filter(({ on, reads = WHOLE_OBJECTS, concerns }) => {
      if (!reads.includes(role) || concerns?.(kube) === false) return false;
      if (on === 'any') return true;
      if (on === 'podSpec') return hasPodSpec;
      return on.includes(target.object.kind);
    });
    const costing = (cost: RuleMeta['cost']) => applying.filter(it => it.meta.cost === cost);
    const isOfDecoder = ({ meta }: AnyRule): boolean => meta.category === 'decode';
    const typing = costing('typing').filter(it => !isOfDecoder(it));
    const made = {
      decode: costing('typing').filter(isOfDecoder),
      typing,
      notOfServer: typing.filter(it => !isFromServer(it.meta)),
      workspace: costing('workspace'),
      placement: costing('placement'),
    };
    known.set(key, made);
    return made;
  };
}

export function isFromServer(it: { readonly category: Problem['category'] }): boolean {
  return it.category === 'apiserver' || it.category === 'dropped' || it.category === 'warning';
}
