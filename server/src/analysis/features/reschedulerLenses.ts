import { t } from '../../base/l10n';
import type { IsCancelled, Steps } from '../../base/steps';
import type { SettleResult } from '../../descheduler/settle';
import { modeOf, UPDATE_MODES, type VerticalPodAutoscaler } from '../../descheduler/vpa/autoscaler';
import { objectId, type PodUpdate, type VpaOutcome } from '../../descheduler/vpa/whatIf';
import type { Span } from '../../text/span';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import type { AnalysisContext } from '../diagnostics/analysisContext';
import type { Placements } from '../placement/placements';
import type { ReschedulerKind } from '../whatIf/eviction';
import { autoscalersIn, autoscalingSteps, deschedulingSteps } from '../whatIf/rescheduling';
import { firstLineOf } from './firstLine';

/** The location of a descheduler policy or a VPA in a file. */
export interface ReschedulerLocation {
  readonly kind: ReschedulerKind;
  readonly span: Span;
}

/** Titles that say what descheduler policies and VPAs of a file would do. */
export interface EvictionLenses {
  /** The locations of a file's policies and VPAs, without a simulation. */
  reschedulerLocations(uri: string): readonly ReschedulerLocation[];
  /** A title about a policy or a VPA, in steps; undefined: there is none at the location. */
  reschedulerTitle(request: TitleRequest): Steps<string | undefined>;
}

export const evictionLenses = ({ environmentOf }: AnalysisContext): EvictionLenses => ({
  reschedulerLocations: uri => reschedulerLocations(environmentOf(uri).snapshot, uri),
  reschedulerTitle: request => reschedulerTitle(environmentOf(request.uri), request),
});

interface LensEnvironment {
  readonly snapshot: Snapshot;
  readonly placements: Placements;
}

/** The locations of a file's policies and VPAs, without a simulation. */
function reschedulerLocations(snapshot: Snapshot, uri: string): readonly ReschedulerLocation[] {
  return snapshot.objectsIn(uri).flatMap(it => {
    const kind = kindOf(it);
    return kind ? [{ kind, span: firstLineOf(it) }] : [];
  });
}

function kindOf({ group, kind }: WorkspaceObject): ReschedulerKind | undefined {
  if (group === 'descheduler' && kind === 'DeschedulerPolicy') return 'descheduler';
  return group === 'autoscaling.k8s.io' && kind === 'VerticalPodAutoscaler' ? 'vpa' : undefined;
}

/** Which policy or VPA a title is for. */
export interface TitleRequest extends ReschedulerLocation {
  readonly uri: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Ends the work early; the title then says how far it came. */
  readonly isCancelled?: IsCancelled | undefined;
}

/** What the policy or VPA at a location would do, in a few words. */
function* reschedulerTitle(
  { snapshot, placements }: LensEnvironment,
  { uri, span, now, isCancelled }: TitleRequest,
): Steps<string | undefined> {
  const object = snapshot.objectsIn(uri).find(it => firstLineOf(it).start === span.start);
  if (object === undefined) return undefined;
  const { inputs } = placements.of(uri);
  if (kindOf(object) === 'descheduler') {
    return policyInWords(yield* deschedulingSteps(object.manifest.value, inputs, { now, isCancelled }));
  }
  const id = `${object.namespace ?? 'default'}/${object.name ?? ''}`;
  const vpa = autoscalersIn(inputs).find(it => objectId(it) === id);
  if (vpa === undefined) return undefined;
  const found = yield* autoscalingSteps(vpa, inputs, { now, isCancelled, only: it => it === modeOf(vpa) });
  return found ? vpaInWords(vpa, found) : t('takes too long to work out here');
}

function policyInWords(found: SettleResult | { readonly errors: readonly string[] }): string {
  if ('errors' in found) return t('the descheduler does not start with this policy');
  const { rounds, ending } = found;
  const [now, last] = [rounds[0], rounds.at(-1)];
  if (now === undefined)
    return ending.kind === 'settles' ? t('evicts nobody now') : t('takes too long to work out here');
  const waiting = last?.landings.filter(it => it.node === undefined).length ?? 0;
  const lost = rounds.reduce((sum, it) => sum + it.lost.length, 0);
  return [
    now.evictions.length === 1 ? t('would evict 1 Pod now') : t`would evict ${now.evictions.length} Pods now`,
    endingInWords(ending),
    ...waitingInWords(waiting),
    ...(lost > 0 ? [lost === 1 ? t('1 Pod lost') : t`${lost} Pods lost`] : []),
  ].join(' · ');
}

function endingInWords(ending: SettleResult['ending']): string {
  switch (ending.kind) {
    case 'settles':
      return ending.rounds === 1 ? t('settles after 1 round') : t`settles after ${ending.rounds} rounds`;
    case 'cycle':
      return t`never settles (round ${ending.back} leads back)`;
    case 'unknown':
      if (ending.stopped) return ending.rounds === 1 ? t('more than 1 round') : t`more than ${ending.rounds} rounds`;
      return ending.rounds === 1 ? t('not settled after 1 round') : t`not settled after ${ending.rounds} rounds`;
  }
}

function waitingInWords(pods: number): readonly string[] {
  if (pods === 0) return [];
  return [pods === 1 ? t('1 Pod without a node then') : t`${pods} Pods without a node then`];
}

const AT_REST: Readonly<Record<string, () => string>> = {
  Off: () => t('changes no Pod'),
  Initial: () => t('changes no running Pod, but those that are made from now on'),
};

function vpaInWords(vpa: VerticalPodAutoscaler, { hasRecommendation, pods: own, modes }: VpaOutcome): string {
  if (!hasRecommendation) return t('no recommendation yet: nothing happens');
  if (own.length === 0) return t('no running Pod belongs to it');
  const mode = UPDATE_MODES.find(it => it === modeOf(vpa))!;
  const still = AT_REST[mode]?.();
  if (still !== undefined) return `${mode}: ${still}`;
  const { rounds = [] } = modes.find(it => it.isOwn) ?? {};
  const of = (action: PodUpdate['action']): number =>
    new Set(rounds.flatMap(it => it.updates.filter(update => update.action === action).map(update => update.pod))).size;
  const [resized, evicted] = [of('resized'), of('evicted')];
  const doing = rounds.filter(it => it.updates.some(update => update.action === 'evicted'));
  const waiting = doing.at(-1)?.landings.filter(it => it.node === undefined).length ?? 0;
  const parts = [
    ...(resized > 0 ? [resized === 1 ? t('resizes 1 Pod in place') : t`resizes ${resized} Pods in place`] : []),
    ...(evicted > 0 ? [evicted === 1 ? t('evicts 1 Pod') : t`evicts ${evicted} Pods`] : []),
    ...waitingInWords(waiting),
  ];
  return `${mode}: ${parts.length > 0 ? parts.join(', ') : t('changes no Pod now')}`;
}
