import type { JsonObject, JsonValue } from '../../../base/json';
import { lazy, lazyByText } from '../../../base/lazy';
import { smallest } from '../../../base/manyItems';
import { matchesAnyWildcard } from '../../../base/wildcard';
import { record, records, text, texts } from '../../../kube/goFields';
import { FieldPath } from '../../../manifest/fieldPath';
import type { WorkspaceObject } from '../../../workspace/object';
import type { PolicyLocation } from '../../result';

/** A rule as written, or as autogen derives it. */
export type RuleFields = JsonObject;

/** A ClusterPolicy or Policy of kyverno.io. */
export interface KyvernoPolicy {
  readonly object: WorkspaceObject;
  readonly name: string;
  /** The namespace of a Policy, the only one that it applies to. */
  readonly namespace?: string;
  readonly annotations: JsonObject;
  readonly spec: JsonObject;
  readonly rules: readonly RuleFields[];
  /** The conditions of its webhook. */
  readonly matchConditions: () => readonly JsonObject[];
  /** The rules after autogen, cached by kind. */
  readonly autogenRules: Map<string, readonly RuleFields[]>;
  /** The location of a rule's name; for an autogen rule, that of the rule it is derived from. */
  locationOf(rule: string): PolicyLocation | undefined;
}

const policyKinds: ReadonlySet<string> = new Set(['ClusterPolicy', 'Policy']);

/** undefined for an object that is not a ClusterPolicy or Policy. */
export function kyvernoPolicyOf(object: WorkspaceObject): KyvernoPolicy | undefined {
  if (object.group !== 'kyverno.io' || !policyKinds.has(object.kind)) return undefined;
  const { value } = object.manifest;
  const metadata = record(value, 'metadata');
  const spec = record(value, 'spec') ?? {};
  const rules = records(spec, 'rules');
  const places = lazy(() => firstPlaces(rules.map(it => text(it, 'name'))));
  return {
    object,
    name: text(metadata, 'name'),
    ...(object.kind === 'Policy' && { namespace: text(metadata, 'namespace') || 'default' }),
    annotations: record(metadata, 'annotations') ?? {},
    spec,
    rules,
    matchConditions: lazy(() => [
      ...records(record(spec, 'webhookConfiguration'), 'matchConditions'),
      ...records(spec, 'webhookMatchConditions'),
    ]),
    autogenRules: new Map(),
    locationOf: lazyByText((name): PolicyLocation | undefined => {
      const found = [name, writtenName(name)].flatMap(it => places().get(it) ?? []);
      if (found.length === 0) return undefined;
      return { object, at: FieldPath.of('spec', 'rules', smallest(found), 'name'), part: 'value' };
    }),
  };
}

/** Where each of some names comes first. */
export const firstPlaces = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.map((it, i) => [it, i] as const).toReversed());

/** The name of the rule from which an autogen rule is derived. */
export const writtenName = (rule: string): string => rule.replace(/^autogen-(cronjob-)?/, '');

/** One filter of `match` or `exclude`. Upstream: ResourceFilter. */
export type Filter = JsonObject;

/** The filters of `any` or `all`, or a block without either as its only filter. */
export type FilterGroup = { readonly mode: 'any' | 'all' | 'only'; readonly filters: readonly Filter[] };

export function filtersOf(block: JsonObject): FilterGroup {
  const any = records(block, 'any');
  const all = records(block, 'all');
  if (any.length > 0) return { mode: 'any', filters: any };
  return all.length > 0 ? { mode: 'all', filters: all } : { mode: 'only', filters: [block] };
}

/** Upstream: MatchResources.GetKinds. */
export function kindsOf(block: JsonObject | undefined): readonly string[] {
  if (block === undefined) return [];
  return filtersOf(block).filters.flatMap(it => texts(record(it, 'resources'), 'kinds'));
}

export type FailureAction = 'enforce' | 'audit';

/**
 * The failure action of a rule in a namespace: an override for the namespace, else the rule's own, else the policy's.
 * Upstream: EngineResponse.GetValidationFailureAction.
 */
export function failureAction(
  { spec }: KyvernoPolicy,
  rule: RuleFields,
  namespace: string,
  hasLabels: (selector: JsonValue) => boolean,
): FailureAction {
  const validate = record(rule, 'validate');
  const own = text(validate, 'failureAction');
  const overrides = [
    ...records(validate, 'failureActionOverrides'),
    ...records(spec, 'validationFailureActionOverrides'),
  ];
  const override = overrides.find(it => {
    const names = texts(it, 'namespaces');
    const selector = it.namespaceSelector;
    if (names.length === 0 && selector === undefined) return false;
    return (
      (names.length === 0 || matchesAnyWildcard(names, namespace)) && (selector === undefined || hasLabels(selector))
    );
  });
  const action = override === undefined ? own || text(spec, 'validationFailureAction') : text(override, 'action');
  return action.toLowerCase() === 'enforce' ? 'enforce' : 'audit';
}

/** Failures of policies that are not scored are warnings. Upstream: ComputePolicyReportResult. */
export const isScored = ({ annotations }: KyvernoPolicy): boolean =>
  annotations['policies.kyverno.io/scored'] !== 'false';

/** Whether the policy stops at the first rule that applies. */
export const appliesOneRule = ({ spec }: KyvernoPolicy): boolean => text(spec, 'applyRules') === 'One';

/** Whether the rule validates resources. */
export const hasValidate = (rule: RuleFields): boolean => Object.keys(record(rule, 'validate') ?? {}).length > 0;
