import { asObjects, asText, type UnknownObject } from '../base/json';
import type { Memo } from '../base/memo';
import { jsonText, printed } from '../base/printed';
import { type Quantity, quantityMilliValue, quantityOf, quantityValue } from '../kube/quantity';
import { OFF_BY_DEFAULT } from './admission/admission';
import type { AskPolicies } from './admission/mutationAdmission';
import { ADMISSION_PLUGINS, type AdmissionPlugin, type InvalidityOf } from './admission/types';
import type { Note } from './pods/note';

export interface ScenarioOptions {
  /** Overrides the defaults of the chosen minor. */
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** What preemption does to a victim: deletes it, or keeps it with a deletionTimestamp. */
  readonly victims: 'delete' | 'terminate';
  /** When a Pod that preempted is retried: immediately, after all others, or not. */
  readonly retry: 'immediate' | 'end' | 'none';
  /** Whether to make the missing Pods of workloads. */
  readonly expandWorkloads: boolean;
  /** What Pods of workloads use, for autoscalers. */
  readonly usage: readonly UsageAssumption[];
  /** The enabled admission plugins. */
  readonly admissionPlugins: ReadonlySet<AdmissionPlugin>;
}

/** What one Pod of a workload uses from its start: an item a round of the autoscaler (15 s), the last one from then on. */
export interface UsageAssumption {
  /** `Deployment/web` */
  readonly workload: string;
  /** In millicores. */
  readonly cpu?: readonly number[];
  /** In bytes. */
  readonly memory?: readonly number[];
}

export interface ClusterOptions {
  /** Overrides the scenario's own ScenarioOptions; absent: those, then the contract's defaults. */
  readonly expandWorkloads?: boolean;
  /** Whether a gate is on, given the gates of the scenario's own options; absent: those alone count. */
  readonly isGateOn?: (gate: string, written: ScenarioOptions['featureGates']) => boolean;
  /** Results of earlier runs over the same objects; absent: none. */
  readonly memory?: Memo;
  /** What mutating policies make of objects that are created; absent: there are none. */
  readonly askPolicies?: AskPolicies | undefined;
  /** Absent: what admission makes of a Pod is taken as valid. */
  readonly invalidityOf?: InvalidityOf | undefined;
}

export function isScenarioOptions(object: UnknownObject): boolean {
  return object.kind === 'ScenarioOptions' && printed(object.apiVersion).startsWith('berth.dev/');
}

/** Invalid options are reported, and their defaults used. */
export function readOptions(
  written: UnknownObject | undefined,
  over: ClusterOptions,
  onNote: (note: Note) => void,
): ScenarioOptions {
  const options = written ?? {};
  const say = (message: string): void => onNote({ message: `ScenarioOptions: ${message}` });
  for (const field of Object.keys(options))
    if (!FIELDS.has(field)) say(`there is no field ${field}; it is not looked at.`);
  const oneOf = <T>(field: string, values: readonly [T, ...T[]]): T => {
    const value = options[field] ?? values[0];
    const found = values.find(it => it === value);
    if (found === undefined) say(`${field} is none of ${values.join(', ')}; ${values[0]} counts.`);
    return found ?? values[0];
  };
  const featureGates = gatesIn(options.featureGates, say);
  return {
    featureGates,
    victims: oneOf('victims', ['delete', 'terminate']),
    retry: oneOf('retry', ['immediate', 'end', 'none']),
    expandWorkloads: over.expandWorkloads ?? oneOf<boolean>('expandWorkloads', [true, false]),
    usage: usageIn(options.usage, say),
    admissionPlugins: pluginsIn(options, it => isGateOn(it, featureGates, over), say),
  };
}

const FIELDS: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'metadata',
  'featureGates',
  'victims',
  'retry',
  'expandWorkloads',
  'usage',
  'enableAdmissionPlugins',
  'disableAdmissionPlugins',
]);

function usageIn(value: unknown, say: (message: string) => void): readonly UsageAssumption[] {
  if (value === undefined || value === null) return [];
  return asObjects(value).flatMap((it): readonly UsageAssumption[] => {
    const workload = asText(it.workload);
    const cpu = amountsIn(it.cpu, quantityMilliValue);
    const memory = amountsIn(it.memory, quantityValue);
    if (workload !== undefined && cpu !== 'unreadable' && memory !== 'unreadable')
      return [{ workload, ...(cpu && { cpu }), ...(memory && { memory }) }];
    say('an item of usage names no workload as Deployment/web, or a value that is no quantity; it is not looked at.');
    return [];
  });
}

/** One quantity, or a list of at least one. */
function amountsIn(value: unknown, read: (quantity: Quantity) => number): readonly number[] | 'unreadable' | undefined {
  if (value === undefined) return undefined;
  const values = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  const amounts = values.flatMap(it => {
    const quantity = quantityOf(it);
    return quantity ? [read(quantity)] : [];
  });
  return amounts.length === 0 || amounts.length < values.length ? 'unreadable' : amounts;
}

function gatesIn(value: unknown, say: (message: string) => void): Readonly<Record<string, boolean>> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    say('featureGates is not an object; no gate is changed.');
    return {};
  }
  const bad = Object.entries(value).filter(([, it]) => typeof it !== 'boolean');
  for (const [gate] of bad) say(`featureGates.${gate} is neither true nor false; its default counts.`);
  return Object.fromEntries(Object.entries(value).filter(([, it]) => typeof it === 'boolean'));
}

export function isGateOn(gate: string, featureGates: ScenarioOptions['featureGates'], over: ClusterOptions): boolean {
  return over.isGateOn?.(gate, featureGates) ?? featureGates[gate] ?? false;
}

/** Plugins that need a feature gate. */
const GATES: Partial<Readonly<Record<AdmissionPlugin, string>>> = { PodTopologyLabels: 'PodTopologyLabelsAdmission' };

function pluginsIn(
  options: UnknownObject,
  isOn: (gate: string) => boolean,
  say: (message: string) => void,
): ReadonlySet<AdmissionPlugin> {
  const namesIn = (field: string): ReadonlySet<string> => {
    const value = options[field] ?? [];
    if (!Array.isArray(value)) say(`${field} is not a list; it is not looked at.`);
    const names: readonly unknown[] = Array.isArray(value) ? value : [];
    for (const it of names) {
      if (!ADMISSION_PLUGINS.some(other => other === it)) {
        say(
          `${field} names ${String(jsonText(it))}, which is not simulated. There are ${ADMISSION_PLUGINS.join(', ')}.`,
        );
      }
    }
    return new Set(names.filter(it => typeof it === 'string'));
  };
  const enabled = namesIn('enableAdmissionPlugins');
  const disabled = namesIn('disableAdmissionPlugins');
  const isGated = (it: AdmissionPlugin): boolean => GATES[it] !== undefined && !isOn(GATES[it]);
  return new Set(
    ADMISSION_PLUGINS.filter(it => !isGated(it) && (enabled.has(it) || (!OFF_BY_DEFAULT.has(it) && !disabled.has(it)))),
  );
}
