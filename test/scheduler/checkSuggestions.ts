import { stringify } from 'yaml';
import { openScenario, type PlaceOptions } from '../../server/src/analysis/scenario';
import type { TextSuggestion } from '../../server/src/analysis/whatIf/suggestions';
import { loadKube } from '../../server/src/kube/load';
import { applyEdits } from '../../server/src/text/span';

type JsonObject = Readonly<Record<string, unknown>>;

export interface SuggestionCheck {
  /** The number of Pods without a node. */
  readonly pods: number;
  /** How many of these got a suggestion. */
  readonly answered: number;
  readonly suggestions: number;
  /** Suggestions that could not be written into the text, one line each. */
  readonly unwritten: readonly string[];
  /** Suggestions without the claimed effect once written into the text, one line each. */
  readonly failed: readonly string[];
}

/** The options of all measurements. */
export function placeOptions(readPack: (name: string) => Uint8Array): PlaceOptions {
  return { kube: loadKube('1.37', {}, readPack), featureGates: {}, cluster: 'auto' };
}

/** One scenario as a YAML file; the labelled ones have options in another form and expand no workloads. */
export function scenarioText(objects: readonly JsonObject[]): string {
  const options = { apiVersion: 'berth.dev/v1alpha1', kind: 'ScenarioOptions', expandWorkloads: false };
  const isOptions = (it: JsonObject): boolean => it.kind === 'ScheduleOptions';
  const written = objects.map(it => (isOptions(it) ? { ...it, ...options } : it));
  const all = objects.some(isOptions) ? written : [options, ...written];
  return all.map(it => stringify(it, { version: '1.1' })).join('---\n');
}

/** Writes each suggestion for a scenario into its text, runs that from scratch, and checks the claimed effect. */
export async function checkSuggestions(text: string, options: PlaceOptions): Promise<SuggestionCheck> {
  const uri = 'scenario.yaml';
  const found = await openScenario([{ uri, text }], options).suggestions();
  const all = [...found.suggestions].map(([pod, it]) => ({ ...it, pod }));
  const each = all.flatMap(({ pod, suggestions }) => suggestions.map(it => ({ pod, it })));
  const lineOf = ({ pod, it }: (typeof each)[number]): string => `${pod}: ${it.title}: ${it.effect}`;
  return {
    pods: all.length,
    answered: all.filter(it => it.suggestions.length > 0).length,
    suggestions: each.length,
    unwritten: each.filter(({ it }) => it.fileEdits === undefined).map(lineOf),
    failed: each
      .filter(({ pod, it }) => it.fileEdits !== undefined && !isKept(pod, it, applyEdits(text, it.fileEdits), options))
      .map(lineOf),
  };
}

function isKept(pod: string, { outcome }: TextSuggestion, text: string, options: PlaceOptions): boolean {
  const { attempts, placements, evicted } = openScenario([{ uri: 'scenario.yaml', text }], options).placement();
  const last = attempts.filter(it => it.pod === pod && it.status !== 'superseded').at(-1);
  const open = (last?.nodes ?? []).filter(it => it.verdict === 'feasible').map(it => it.node);
  const { node, nominatedNode, opens, alsoPlaced, noLongerPlaced, stillWithout } = outcome;
  const hasNode =
    nominatedNode === undefined ? placements[pod] === node : last?.preemption?.nominatedNode === nominatedNode;
  return (
    hasNode &&
    (nominatedNode !== undefined || opens.every(it => open.includes(it))) &&
    alsoPlaced.every(it => placements[it] !== undefined) &&
    [...noLongerPlaced, ...stillWithout].every(it => placements[it] === undefined) &&
    outcome.evicted.every(it => evicted.includes(it))
  );
}
