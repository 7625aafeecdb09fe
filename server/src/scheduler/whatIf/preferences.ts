import { t } from '../../base/l10n';
import type { Steps } from '../../base/steps';
import type { NodeSelectorTerm, PodAffinityTerm } from '../../kube/types';
import { type ChangeCandidate, type Holder, specEdit } from './candidate';
import { type Edit, isSameRef, type PathStep, valueIn, withEdits } from './edits';
import { changedPod, runFilters } from './filterResult';
import { outcomeOf } from './outcome';
import { podTermInWords } from './propose/podAffinity';
import { type Found, type SearchOptions, searchSteps, type Verified } from './search';
import { podsOfHolder, runStudySteps, type StudyRun, situationIn } from './study';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** A preferred term of a Pod. */
interface Preference {
  readonly weight: number;
  /** The change that makes it required: "require nodes with zone In a instead of preferring them". */
  readonly asRequirement: ChangeCandidate;
  /** Whether an edit would only undo the requirement. */
  undoes(edit: Edit): boolean;
}

/** How many preferences are considered, the highest weight first, and how many sets of changes for each. */
const MAX_PREFERENCES = 2;
const MAX_CHANGE_SETS = 3;
/** Spread constraints have no weight; that of preferred affinity is at most this. */
const FULL_WEIGHT = 100;

/**
 * For a Pod that has a node: the smallest changes after which its node meets a preference that is now unmet. A node
 * meets a preference if the Pod would still fit there with the preference as a requirement: preferred affinity as
 * required, ScheduleAnyway as DoNotSchedule. `base` must have recorded the Pod's last cycle.
 */
export function* meetPreferences(base: StudyRun, options: SearchOptions, pod: string): Steps<Found | undefined> {
  const situation = situationIn(base, pod);
  if (situation === undefined) return undefined;
  const unmet = preferencesOf(situation.holder)
    .filter(it => isMet(it, base, pod) === false)
    .sort((a, b) => b.weight - a.weight);
  const found: Found[] = [];
  for (const it of unmet.slice(0, MAX_PREFERENCES)) found.push(yield* changesFor(it, base, options, pod));
  return {
    verified: found.flatMap(it => it.verified),
    untried: found.reduce((sum, it) => sum + it.untried, unmet.length - found.length),
  };
}

/** Whether the holder has any preference. */
export const hasPreferences = (holder: Holder): boolean => preferencesOf(holder).length > 0;

/** Whether the Pod's node after a run meets the preference; undefined where it has no node. */
function isMet({ asRequirement }: Preference, run: StudyRun, pod: string): boolean | undefined {
  const tried = run.lastCycles.get(pod);
  const node = run.result.placements[pod];
  const situation = situationIn(run, pod);
  if (tried === undefined || node === undefined || situation === undefined) return undefined;
  const required = changedPod(tried.pod, situation.holder, asRequirement.edits);
  return runFilters(required, tried.cycle, tried.profile).feasible.some(it => it.name === node);
}

/**
 * The requirement alone where that gives the Pod a node; otherwise additional changes, without the requirement where
 * these suffice.
 */
function* changesFor(preference: Preference, base: StudyRun, options: SearchOptions, pod: string): Steps<Found> {
  const isolated = { ...options, memory: { ...options.memory } };
  const over = (edits: readonly Edit[]): Steps<StudyRun> =>
    runStudySteps(withEdits(base.documents, edits), { ...isolated, memory: { ...isolated.memory } }, { wanted: pod });
  const verified = (run: StudyRun, candidates: readonly ChangeCandidate[]): readonly Verified[] => {
    const situation = situationIn(run, pod);
    if (situation === undefined || isMet(preference, run, pod) !== true) return [];
    const siblings = podsOfHolder(situation.holder, run.scenario);
    return [{ candidates, situation, outcome: outcomeOf(pod, base.result, run.result, siblings) }];
  };
  const required = yield* over(preference.asRequirement.edits);
  if (required.result.placements[pod] !== undefined) {
    return { verified: verified(required, [preference.asRequirement]), untried: 0 };
  }
  const allows = ({ edits }: ChangeCandidate): boolean => !edits.some(it => preference.undoes(it));
  const { verified: changeSets = [], untried = 0 } = (yield* searchSteps(required, isolated, pod, { allows })) ?? {};
  const tried: Verified[] = [];
  for (const { candidates } of changeSets.slice(0, MAX_CHANGE_SETS)) {
    const edits = candidates.flatMap(it => it.edits);
    const withoutRequirement = verified(yield* over(edits), candidates);
    if (withoutRequirement.length > 0) {
      tried.push(...withoutRequirement);
      continue;
    }
    const withRequirement = yield* over([...preference.asRequirement.edits, ...edits]);
    tried.push(...verified(withRequirement, [preference.asRequirement, ...candidates]));
  }
  return { verified: tried, untried: untried + Math.max(0, changeSets.length - MAX_CHANGE_SETS) };
}

function preferencesOf(holder: Holder): readonly Preference[] {
  if (holder.ref.kind === 'DaemonSet') return [];
  return [...nodePreferences(holder), ...podPreferences(holder), ...spreadPreferences(holder)];
}

function requirement(
  plugin: string,
  kind: ChangeCandidate['kind'],
  words: string,
  edits: readonly Edit[],
): ChangeCandidate {
  return { kind, plugin, words, edits, cost: 2, verifiedBy: 'run' };
}

const startsWith = (path: readonly PathStep[], start: readonly PathStep[]): boolean =>
  start.every((step, i) => path[i] === step);

/** A preference is added to each of the required terms, one of which must match. */
function nodePreferences(holder: Holder): readonly Preference[] {
  const { [REQUIRED]: required, [PREFERRED]: preferred = [] } = holder.spec.affinity?.nodeAffinity ?? {};
  const at: readonly PathStep[] = ['affinity', 'nodeAffinity', REQUIRED];
  const own = [...holder.specPath, ...at];
  const terms = required?.nodeSelectorTerms ?? [];
  return preferred.map(({ weight = 1, preference = {} }): Preference => {
    const { matchExpressions = [], matchFields = [] } = preference;
    const into = (term: number): readonly Edit[] => [
      ...matchExpressions.map(it =>
        specEdit(holder, [...at, 'nodeSelectorTerms', term, 'matchExpressions'], 'append', it),
      ),
      ...matchFields.map(it => specEdit(holder, [...at, 'nodeSelectorTerms', term, 'matchFields'], 'append', it)),
    ];
    const edits =
      terms.length === 0
        ? [specEdit(holder, [...at, 'nodeSelectorTerms'], 'append', preference)]
        : terms.flatMap((_, i) => into(i));
    const words = t`require nodes with ${nodeTermInWords(preference)} instead of preferring them`;
    return {
      weight,
      asRequirement: requirement('NodeAffinity', 'nodeAffinity', words, edits),
      undoes({ object, path, action }) {
        if (!isSameRef(object, holder.ref) || !startsWith(path, own)) return false;
        const [, term, list, index] = path.slice(own.length);
        const old = valueIn(terms, [Number(term), String(list)]);
        const isOld = Array.isArray(old) && typeof index === 'number' && index < old.length;
        return !isOld || (action === 'remove' && path.length <= own.length);
      },
    };
  });
}

function nodeTermInWords({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): string {
  return [...matchExpressions, ...matchFields]
    .map(({ key = '', operator = '', values = [] }) => `${key} ${operator} ${values.join(',')}`.trim())
    .join(', ');
}

function podPreferences(holder: Holder): readonly Preference[] {
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap(field => {
    const { [REQUIRED]: required = [], [PREFERRED]: preferred = [] } = holder.spec.affinity?.[field] ?? {};
    const at: readonly PathStep[] = ['affinity', field, REQUIRED];
    const own = [...holder.specPath, ...at];
    return preferred.map(({ weight = 1, podAffinityTerm: term = {} }): Preference => {
      const edits = [specEdit(holder, at, 'append', term)];
      return {
        weight,
        asRequirement: requirement('InterPodAffinity', 'podAffinity', podRequirementInWords(field, term), edits),
        undoes: ({ object, path }) =>
          isSameRef(object, holder.ref) && startsWith(path, own) && !(Number(path[own.length]) < required.length),
      };
    });
  });
}

function podRequirementInWords(field: 'podAffinity' | 'podAntiAffinity', term: PodAffinityTerm): string {
  const [podsText, where] = [podTermInWords(term), term.topologyKey ?? ''];
  return field === 'podAffinity'
    ? t`require the Pod affinity to ${podsText} over ${where} instead of preferring it`
    : t`require the Pod anti-affinity to ${podsText} over ${where} instead of preferring it`;
}

function spreadPreferences(holder: Holder): readonly Preference[] {
  return (holder.spec.topologySpreadConstraints ?? []).flatMap((it, i): readonly Preference[] => {
    if (it.whenUnsatisfiable !== 'ScheduleAnyway') return [];
    const own = [...holder.specPath, 'topologySpreadConstraints', i];
    const edits = [specEdit(holder, ['topologySpreadConstraints', i, 'whenUnsatisfiable'], 'set', 'DoNotSchedule')];
    const words = t`require an even spread over ${it.topologyKey ?? ''} instead of preferring it (DoNotSchedule)`;
    return [
      {
        weight: FULL_WEIGHT,
        asRequirement: requirement('PodTopologySpread', 'topologySpread', words, edits),
        undoes: ({ object, path }) => isSameRef(object, holder.ref) && startsWith(path, own),
      },
    ];
  });
}
