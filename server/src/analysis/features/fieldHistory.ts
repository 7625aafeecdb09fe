import { t } from '../../base/l10n';
import { minorsOfField } from '../../kube/fieldMinors';
import type { GateLife, GateStage, GateState, Kube } from '../../kube/kube';
import { codeSpan } from '../../text/markdown';

/** A stage of a feature gate in words. Upstream: component-base/featuregate, prerelease. */
export const stageInWords = (stage: GateStage): string => STAGES[stage]();

const STAGES: Readonly<Record<GateStage, () => string>> = {
  ALPHA: () => t('alpha'),
  BETA: () => t('beta'),
  GA: () => t('stable'),
  DEPRECATED: () => t('deprecated'),
};

/** Which minors have a field and what its gates were in each, as Markdown paragraphs; empty: nothing changed. */
export function fieldHistory(kube: Kube, definition: string, field: string): readonly string[] {
  const minors = minorsOfField(kube, definition, field);
  const gates = kube.fieldLife(definition, field)?.gates ?? [];
  return [...(minors === undefined ? [] : [t`In Kubernetes ${minors}.`]), ...gates.flatMap(gateHistory)];
}

/** A run of minors in which a gate stays in one state. */
interface Run {
  readonly first: string;
  readonly last: string;
  readonly state: GateState;
}

/** Nothing for a gate of one state: the field's own gates say it. */
function gateHistory({ name, states }: GateLife): readonly string[] {
  const runs = runsOf(states);
  if (runs.length < 2) return [];
  const parts = runs.map((run, index) => `${minorsOfRun(run, index === runs.length - 1)} ${runInWords(run)}`);
  return [t`${codeSpan(name)} by minor: ${parts.join(' · ')}.`];
}

function runsOf(states: readonly GateState[]): readonly Run[] {
  const starts = states.flatMap((it, i) => (isSameState(states[i - 1], it) ? [] : [i]));
  return starts.flatMap((start, i) => {
    const [state, last] = [states[start], states[(starts[i + 1] ?? states.length) - 1]];
    return state && last ? [{ first: state.minor, last: last.minor, state }] : [];
  });
}

function isSameState(a: GateState | undefined, b: GateState): boolean {
  return a?.stage === b.stage && a.default === b.default;
}

function minorsOfRun({ first, last }: Run, isNewest: boolean): string {
  if (isNewest) return t`from ${first}`;
  return first === last ? first : `${first}–${last}`;
}

function runInWords({ state }: Run): string {
  const stage = stageInWords(state.stage);
  if (state.stage === 'GA' && state.default) return stage;
  return state.default ? t`${stage} (on)` : t`${stage} (off)`;
}
