import type { Kube } from '../../kube/kube';
import { FieldPath } from '../../manifest/fieldPath';
import type { Snapshot, WorkspaceObject } from '../../workspace/workspace';
import { admittedObject } from '../admitted';
import type { CallLimits, PolicyEngine, PolicyStopped } from '../engine/engine';
import { type LoadAnswer, loadedIn } from '../engine/loaded';
import { withoutRunaways } from '../engine/runaway';
import { nothingWrong, type PolicyCheck, type PolicySet, saysNothing } from '../policySet';
import { type RegoError, sentenceOf, spanOfRegoError } from '../regoText';
import type { PolicyResult } from '../result';
import { type Review, resultsOfReview } from './judge';
import { codeOf, type GatekeeperPolicies, gatekeeperPoliciesOf } from './policies';

/** Gatekeeper's Rego cannot be asked to stop; only the end of the engine ends it. */
const LIMITS: CallLimits = { milliseconds: 5_000, grace: 0 };
const LOAD_LIMITS: CallLimits = { milliseconds: 60_000, grace: 0 };

/** The constraints of a workspace with their templates; undefined when there are none. */
export function gatekeeperPolicySet(snapshot: Snapshot, kube: Kube, engine: PolicyEngine): PolicySet | undefined {
  const policies = gatekeeperPoliciesOf(snapshot);
  if (policies === undefined) return undefined;
  const { templates, constraints, inventory, objects } = policies;
  const loaded = loadedIn(engine, LOAD_LIMITS);
  const stopped = new Map<WorkspaceObject, PolicyResult>();

  const load = (asked: readonly WorkspaceObject[]) => ({
    op: 'loadGatekeeper',
    templates: templates.map(it => it.manifest.value),
    constraints: asked.map(it => it.manifest.value),
    inventory: inventory.map(it => admittedObject(it, kube)),
  });

  return {
    engine: 'gatekeeper',
    parts: [kube, ...[...templates, ...constraints, ...inventory].map(it => it.manifest.contentId)],
    objects,
    async check() {
      const { answer } = await loaded.get(() => load(constraints));
      return checkAnswer(answer, policies, engine);
    },
    async judge(asked) {
      if (constraints.length === 0) return asked.map(() => saysNothing);
      const reviewed = asked.map(it => ({ object: admittedObject(it, kube), operation: 'CREATE' }));
      const members = constraints.filter(it => !stopped.has(it));
      const attempt = async (some: readonly WorkspaceObject[]) => {
        if (some.length !== members.length) loaded.outdate();
        const { answer } = await loaded.get(() => load(some));
        const request = { op: 'reviewGatekeeper', handle: answer.handle, objects: reviewed };
        return (await engine.call(request, LIMITS)) as { readonly reviews: readonly Review[] };
      };
      const { reviews } = await withoutRunaways(members, attempt, (constraint, reason) =>
        stopped.set(constraint, stoppedResult(constraint, templates, reason)),
      );
      return asked.map((object, i) => {
        const review = reviews[i];
        return review === undefined
          ? saysNothing
          : { results: resultsOfReview(object, review, constraints), mutations: [] };
      });
    },
    late: () => ({ ...nothingWrong, results: [...stopped.values()] }),
    release: () => loaded.release(),
  };
}

async function checkAnswer(
  { errors = [] }: LoadAnswer,
  { templates, constraints }: GatekeeperPolicies,
  engine: PolicyEngine,
): Promise<PolicyCheck> {
  const results: PolicyResult[] = [];
  const failed = new Set(errors.flatMap(it => (it.list === 'templates' ? (templates[it.index]?.name ?? []) : [])));
  for (const { list, index, message } of errors) {
    const template = list === 'templates' ? templates[index] : undefined;
    const constraint = list === 'constraints' ? constraints[index] : undefined;
    if (template !== undefined) results.push(...(await templateProblems(template, message, engine)));
    // What is wrong with a template is told there.
    const isEcho = failed.has(constraint?.kind.toLowerCase() ?? '');
    if (constraint !== undefined && !isEcho) results.push(constraintProblem(constraint, message));
  }
  return { ...nothingWrong, results };
}

/** Gatekeeper names rows of a program that it has rewritten; OPA tells the place in the text as it is written. */
async function templateProblems(
  template: WorkspaceObject,
  message: string,
  engine: PolicyEngine,
): Promise<readonly PolicyResult[]> {
  const about = { engine: 'gatekeeper', policy: template.name ?? '', outcome: 'error', severity: 'error' } as const;
  const code = codeOf(template);
  if (code.length > 0) {
    const modules = Object.fromEntries(code.map((it, i) => [String(i), it.text]));
    const request = { op: 'compileRego', modules, regoVersion: code[0]?.regoVersion };
    const answer = (await engine.call(request)) as { readonly handle?: number; readonly errors?: readonly RegoError[] };
    const placed = (answer.errors ?? []).flatMap((error): readonly PolicyResult[] => {
      const program = code[Number(error.location?.file ?? -1)];
      if (program === undefined) return [];
      const at = FieldPath.of(...program.at);
      const within = spanOfRegoError(program.text, error);
      return [{ ...about, message: sentenceOf(error), place: { object: template, at, part: 'value', within } }];
    });
    if (placed.length > 0) return placed;
    if (answer.handle !== undefined) await engine.call({ op: 'release', handle: answer.handle });
  }
  const place = { object: template, at: FieldPath.of('spec', 'targets'), part: 'key' } as const;
  return [{ ...about, message: `Gatekeeper refuses this template: ${message}`, place }];
}

const constraintProblem = (constraint: WorkspaceObject, message: string): PolicyResult => ({
  engine: 'gatekeeper',
  policy: constraint.kind,
  outcome: 'error',
  severity: 'error',
  message: `Gatekeeper refuses this constraint: ${message}`,
  place: { object: constraint, at: FieldPath.of('spec'), part: 'key' },
});

function stoppedResult(
  constraint: WorkspaceObject,
  templates: readonly WorkspaceObject[],
  reason: PolicyStopped,
): PolicyResult {
  const template = templates.find(it => it.name === constraint.kind.toLowerCase());
  const object = template ?? constraint;
  return {
    engine: 'gatekeeper',
    policy: constraint.kind,
    outcome: 'error',
    severity: 'error',
    message: `This policy was stopped and is no longer asked for the constraint ${constraint.name ?? ''}: ${reason.message}.`,
    place: { object, at: FieldPath.of('spec'), part: 'key' },
  };
}
