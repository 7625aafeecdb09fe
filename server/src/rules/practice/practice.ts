import type { JsonObject } from '../../base/json';
import { t } from '../../base/l10n';
import { text } from '../../kube/goFields';
import type { FieldPath, SpanPart } from '../../manifest/fieldPath';
import { containersOf } from '../apiserver/validate/podSpec/containers/containerLists';
import { type FieldFix, fixOf } from '../edits/fix';
import type { Severity } from '../framework/problem';
import type { Rule, RuleContext, RuleMeta, RuleTarget } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';

/** A violation of a practice, and its location. */
export interface PracticeFinding {
  readonly at: FieldPath;
  readonly part?: SpanPart;
  readonly message: string;
  readonly fixes?: readonly FieldFix[];
}

type PracticeFindings = PracticeFinding | readonly PracticeFinding[] | undefined;

/** The metadata of a practice. */
interface PracticeMeta extends Pick<RuleMeta, 'code' | 'summary' | 'why' | 'remedy' | 'details' | 'url'> {
  /** Equivalent checks of other linters: `kube-linter latest-tag`. */
  readonly after: readonly string[];
  readonly severity?: Severity;
  readonly cost?: RuleMeta['cost'];
}

export interface Practice extends PracticeMeta {
  readonly on: Rule<PracticeFinding>['on'];
  readonly check: (target: RuleTarget, context: RuleContext) => PracticeFindings;
}

/** A container with its list, its path and its PodSpec. */
export interface ContainerOf {
  readonly container: JsonObject;
  readonly at: FieldPath;
  readonly name: string;
  readonly spec: JsonObject;
  readonly specAt: FieldPath;
}

/** A rule of the preset `best-practice`, on which many linters agree. */
export function practice({
  on,
  check,
  after,
  severity = 'warning',
  cost = 'typing',
  ...meta
}: Practice): Rule<PracticeFinding> {
  return {
    meta: {
      ...meta,
      category: 'policy',
      severity,
      cost,
      preset: 'best-practice',
      get details() {
        return [
          t`An opinion, of the preset ${'`best-practice`'}. Others ask for the same: ${after.join(', ')}.`,
          ...(meta.details === undefined ? [] : ['', t(meta.details)]),
        ].join('\n');
      },
    },
    on,
    check: (target, context) =>
      listOf(check(target, context)).map(it => ({ at: it.at, part: it.part ?? 'value', facts: it })),
    message: ({ facts }) => facts.message,
    fixes: ({ facts }, { object }, _context, edit) => (facts.fixes ?? []).map(it => fixOf(it, object, edit)),
  };
}

/** A practice for each container of some lists of the Pod spec: the regular ones, unless `lists` says otherwise. */
export function containerPractice({
  check,
  lists = ['containers'],
  ...meta
}: PracticeMeta & {
  readonly lists?: readonly string[];
  readonly check: (container: ContainerOf, target: RuleTarget) => PracticeFindings;
}): Rule<PracticeFinding> {
  return practice({
    ...meta,
    on: 'podSpec',
    check: target => {
      const place = podSpecOf(target);
      if (place === undefined) return undefined;
      const { spec, at: specAt } = place;
      return containersOf(spec, specAt)
        .filter(({ at }) => lists.some(list => at.parent?.toString() === specAt.child(list).toString()))
        .flatMap(({ container, at }) =>
          listOf(check({ container, at, name: text(container, 'name'), spec, specAt }, target)),
        );
    },
  });
}

/** A practice for the PodSpec of a Pod or a template. */
export function podPractice({
  check,
  ...meta
}: PracticeMeta & {
  readonly check: (spec: JsonObject, at: FieldPath, target: RuleTarget, context: RuleContext) => PracticeFindings;
}): Rule<PracticeFinding> {
  return practice({
    ...meta,
    on: 'podSpec',
    check: (target, context) => {
      const place = podSpecOf(target);
      return place && check(place.spec, place.at, target, context);
    },
  });
}

function listOf(found: PracticeFindings): readonly PracticeFinding[] {
  if (found === undefined) return [];
  return Array.isArray(found) ? found : [found as PracticeFinding];
}

/** Kinds whose Pods run indefinitely. */
export const SERVING_KINDS: readonly string[] = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'ReplicationController',
];

/** Kinds whose replicas can replace each other. */
export const REPLICATED_KINDS: readonly string[] = ['Deployment', 'StatefulSet'];
