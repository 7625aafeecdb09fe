import { asText } from '../../base/json';
import type { Kube } from '../../kube/kube';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';
import type { PolicyEngine } from '../engine/engine';
import type { ListedError } from '../engine/loaded';
import { locationOfMessage } from '../messageLocation';
import { type RegoError, sentenceOf, spanOfRegoError } from '../regoText';
import type { PolicyResult } from '../result';
import {
  type GatekeeperLists,
  type GatekeeperPolicies,
  MOST_CONSTRAINTS,
  MOST_TEMPLATES,
  syncedKinds,
} from './policies';
import { SYNC_ANNOTATION, unmetRequirements } from './syncRequirements';
import { codeOf, externalCallIn } from './templateCode';

/** What Gatekeeper's own webhook would reject, at its location. */
export async function refusalResults(
  errors: readonly ListedError[],
  lists: GatekeeperLists,
  kube: Kube,
  engine: PolicyEngine,
): Promise<readonly PolicyResult[]> {
  const failed = new Set(
    errors.flatMap(it => (it.list === 'templates' ? (lists.templates[it.index]?.name ?? []) : [])),
  );
  const results: PolicyResult[] = [];
  const reported = new Set<WorkspaceObject>();
  for (const { list, index, message } of errors) {
    const object = new Map(Object.entries<readonly WorkspaceObject[]>({ ...lists })).get(list)?.[index];
    // Errors of a template's constraints follow from the template's own, and a conflict is reported once.
    const isConsequence = object === undefined || reported.has(object) || failed.has(object.kind.toLowerCase());
    if (isConsequence || isReported(object, message, kube)) continue;
    reported.add(object);
    results.push(
      ...(list === 'templates' ? await templateProblems(object, message, engine) : [refusalResult(object, message)]),
    );
  }
  return results;
}

/** The API server's own schema validation reports the same at the exact field. */
const isReported = ({ apiVersion, kind }: WorkspaceObject, message: string, kube: Kube): boolean =>
  message.startsWith('schema validation failed') && kube.kindOf(apiVersion, kind)?.structural !== undefined;

/** Gatekeeper reports rows of a program that it has rewritten; OPA reports positions in the text as written. */
async function templateProblems(
  template: WorkspaceObject,
  message: string,
  engine: PolicyEngine,
): Promise<readonly PolicyResult[]> {
  const head = { engine: 'gatekeeper', policy: template.name ?? '', outcome: 'error', severity: 'error' } as const;
  const code = codeOf(template);
  if (code.length > 0) {
    const modules = Object.fromEntries(code.map((it, i) => [String(i), it.text]));
    const request = { op: 'compileRego', modules, regoVersion: code[0]?.regoVersion };
    const answer = (await engine.call(request)) as { readonly handle?: number; readonly errors?: readonly RegoError[] };
    const located = (answer.errors ?? []).flatMap((error): readonly PolicyResult[] => {
      const program = code[Number(error.location?.file ?? -1)];
      // Plain OPA lacks the function that Gatekeeper adds.
      if (program === undefined || error.message.includes('external_data')) return [];
      const at = FieldPath.of(...program.at);
      const within = spanOfRegoError(program.text, error);
      return [{ ...head, message: sentenceOf(error), location: { object: template, at, part: 'value', within } }];
    });
    if (located.length > 0) return located;
    if (answer.handle !== undefined) await engine.call({ op: 'release', handle: answer.handle });
  }
  const place = { object: template, at: FieldPath.of('spec', 'targets'), part: 'key' } as const;
  return [{ ...head, message: `Gatekeeper refuses this template: ${message}`, location: place }];
}

/** A constraint's problems have the same code as the violations of the constraint. */
function refusalResult(object: WorkspaceObject, message: string): PolicyResult {
  const isConstraint = object.group === 'constraints.gatekeeper.sh';
  const place = locationOfMessage(object, message, undefined);
  const isFound = place.part === 'entry';
  return {
    engine: 'gatekeeper',
    policy: isConstraint ? object.kind : (object.name ?? object.kind),
    outcome: 'error',
    severity: 'error',
    message: `Gatekeeper refuses this ${isConstraint ? 'constraint' : object.kind}: ${message}`,
    location: isFound ? place : { object, at: FieldPath.of('spec'), part: 'key' },
  };
}

/** Templates and constraints that are not loaded, since so many others are. */
export function surplusResults(surplus: readonly WorkspaceObject[]): readonly PolicyResult[] {
  return surplus.map(object => ({
    engine: 'gatekeeper',
    policy: object.group === 'constraints.gatekeeper.sh' ? object.kind : (object.name ?? object.kind),
    outcome: 'warn',
    severity: 'warning',
    message:
      `Berth loads at most ${MOST_TEMPLATES} templates and ${MOST_CONSTRAINTS.toLocaleString('en')} constraints: this ` +
      `${object.kind} is not asked here, though Gatekeeper does so. What it refuses is not reported.`,
    location: { object, at: FieldPath.of('metadata', 'name'), part: 'value' },
  }));
}

/** What cannot be determined offline, and why: one result for each policy that depends on it. */
export function indeterminateResults({ lists, syncSets }: GatekeeperPolicies): readonly PolicyResult[] {
  const synced = syncedKinds(lists.configs, syncSets);
  return [
    ...lists.templates.flatMap(providerCallNotes),
    ...lists.mutators.flatMap(mutatorProviderNotes),
    ...(synced === undefined ? [] : lists.templates.flatMap(it => missingSyncNotes(it, synced))),
  ];
}

/** Kinds of constraints whose template calls a provider of external data: their results are unknown here. */
export const kindsWithProviders = ({ templates }: GatekeeperLists): ReadonlySet<string> =>
  new Set(
    templates
      .filter(it => codeOf(it).some(code => externalCallIn(code) !== undefined))
      .flatMap(it => asText(fieldAt(it.manifest.value, 'spec', 'crd', 'spec', 'names', 'kind')) ?? []),
  );

function providerCallNotes(template: WorkspaceObject): readonly PolicyResult[] {
  const calls = codeOf(template).flatMap(code => {
    const call = externalCallIn(code);
    return call === undefined ? [] : [{ ...call, at: FieldPath.of(...code.at) }];
  });
  return calls.slice(0, 1).map(({ at, start, end, provider }) => ({
    ...noteHead(template),
    message: `This template asks ${providerInWords(provider)} of external data, which Berth never calls: what its constraints say of objects is not known here.`,
    location: { object: template, at, part: 'value', within: { start, end } },
  }));
}

function mutatorProviderNotes(mutator: WorkspaceObject): readonly PolicyResult[] {
  const at = ['spec', 'parameters', 'assign', 'externalData'];
  const externalData = fieldAt(mutator.manifest.value, ...at);
  if (externalData === undefined) return [];
  return [
    {
      ...noteHead(mutator),
      message: `This ${mutator.kind} asks ${providerInWords(asText(fieldAt(externalData, 'provider')))} of external data, which Berth never calls: what it makes of objects is not shown.`,
      location: { object: mutator, at: FieldPath.of(...at), part: 'key' },
    },
  ];
}

const providerInWords = (name: string | undefined): string =>
  name === undefined ? 'a provider' : `the provider ${name}`;

function missingSyncNotes(template: WorkspaceObject, synced: ReadonlySet<string>): readonly PolicyResult[] {
  return unmetRequirements(template, synced).map(kinds => ({
    ...noteHead(template),
    severity: 'warning',
    message: `This template looks for ${kinds.join(' or ')} in data.inventory, and no SyncSet or Config of this workspace has Gatekeeper keep that.`,
    location: { object: template, at: FieldPath.of('metadata', 'annotations', SYNC_ANNOTATION), part: 'key' },
  }));
}

const noteHead = ({ name = '' }: WorkspaceObject) =>
  ({ engine: 'gatekeeper', policy: name, outcome: 'warn', severity: 'info' }) as const;
