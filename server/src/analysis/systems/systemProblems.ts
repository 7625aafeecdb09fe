import { t } from '../../base/l10n';
import type { BuiltSystem } from '../../explore/system/build';
import type { ExploredSystem } from '../../explore/system/exploreSystem';
import type { SystemField, SystemProblem } from '../../explore/system/field';
import { nameFieldOf } from '../../explore/system/names';
import type { SystemPropertyReport, SystemTrace, TraceStep } from '../../explore/system/report';
import type { ManifestFile } from '../../manifest/manifest';
import type { Problem, RelatedLocation } from '../../rules/framework/problem';
import type { RuleMeta } from '../../rules/framework/rule';
import { SYSTEM, SYSTEM_FINDING } from '../../rules/metas/system';
import type { Span } from '../../text/span';
import { type GraphFinding, graphFindings, propertyKey } from './stateGraph';

/** A problem of the text of a system. */
export function problemAt(file: ManifestFile, { message, path, span }: SystemProblem): Problem {
  const name = path.toString();
  return problemOf(file, SYSTEM, name === '' ? t`${message}.` : t`${name}: ${message}.`, span);
}

type Explored = Extract<ExploredSystem, { readonly kind: 'explored' | 'failed' }>;

/** A finding with the steps that lead there, and the problem that says so. */
export interface TracedFinding {
  readonly problem: Problem;
  readonly finding: GraphFinding;
}

/** What an exploration found, at the process that cannot go on or the property that does not hold. */
export function findingsOf(file: ManifestFile, explored: Explored): readonly Problem[] {
  const traced = tracedFindings(file, explored).map(it => it.problem);
  return explored.kind === 'failed' ? traced : [...traced, ...unreachableIn(file, explored)];
}

/** Those to which steps lead. */
export function tracedFindings(file: ManifestFile, explored: Explored): readonly TracedFinding[] {
  const findings = new Map(graphFindings(explored).map(it => [it.key, it]));
  return problemsByKey(file, explored).map(([key, problem]) => ({ problem, finding: findings.get(key)! }));
}

function problemsByKey(file: ManifestFile, explored: Explored): readonly (readonly [string, Problem])[] {
  const { system } = explored;
  const related = (trace: readonly TraceStep[]): readonly RelatedLocation[] => relatedSteps(file, system, trace);
  if (explored.kind === 'failed') {
    const { message, span, trace } = explored.failure;
    const sentence = t`This fails after ${wayOf(trace)}: ${message}.`;
    return [['failure', problemOf(file, SYSTEM_FINDING, sentence, span, related(trace))]];
  }
  const { deadlocks, properties } = explored.report;
  const { shortest } = deadlocks;
  const violated = properties.flatMap((it, i): readonly (readonly [string, Problem])[] => {
    const { trace } = it;
    if (trace === undefined) return [];
    const span = spanOf(nameFieldOf(system.document.properties[i]!.field));
    const steps = [...trace.steps, ...(trace.cycle ?? [])];
    return [[propertyKey(i), problemOf(file, SYSTEM_FINDING, violationOf(it, trace), span, related(steps))]];
  });
  if (shortest === undefined) return violated;
  const sentence = t`A deadlock after ${wayOf(shortest.steps)}: ${restingOf(shortest)}.`;
  const place = spanOf(blockedIn(system, shortest));
  return [['deadlock', problemOf(file, SYSTEM_FINDING, sentence, place, related(shortest.steps))], ...violated];
}

function unreachableIn(
  file: ManifestFile,
  { unreachable, system }: Extract<ExploredSystem, { readonly kind: 'explored' }>,
): readonly Problem[] {
  return unreachable.map(source => {
    const { step } = system.steps[source]!;
    const message = step.when
      ? t`"${step.name}" can never be taken: in no reachable state its process is at ${step.from} with \`when\` true.`
      : t`"${step.name}" can never be taken: in no reachable state its process is at ${step.from}.`;
    return { ...problemOf(file, SYSTEM_FINDING, message, spanOf(nameFieldOf(step.field))), severity: 'info' };
  });
}

function violationOf({ name, kind }: SystemPropertyReport, { steps, cycle }: SystemTrace): string {
  const way = wayOf(steps);
  switch (kind) {
    case 'never':
      return t`"${name}" does not hold: it becomes true after ${way}.`;
    case 'atEnd':
      return t`"${name}" does not hold: it is false at the end after ${way}.`;
    case 'canAlwaysReach':
      return t`"${name}" does not hold: it cannot be reached any more after ${way}.`;
    case 'progress':
      return t`"${name}" does not hold: after ${way} the steps ${listed(cycle ?? [])} can repeat for ever.`;
  }
}

/** Longer ways are told in part; the related locations have more of their steps. */
const MOST_STEPS = 12;
const MOST_RELATED = 100;

function wayOf(steps: readonly TraceStep[]): string {
  if (steps.length === 0) return t('no step');
  return steps.length === 1 ? t`1 step (${listed(steps)})` : t`${steps.length} steps (${listed(steps)})`;
}

function listed(steps: readonly TraceStep[]): string {
  const told = steps.slice(0, MOST_STEPS).map(it => `${it.process}: ${it.step}`);
  return [...told, ...(steps.length > MOST_STEPS ? ['…'] : [])].join(', ');
}

function restingOf({ state }: SystemTrace): string {
  const processes = Object.entries(state.processes).slice(0, MOST_STEPS);
  const places = processes.map(([name, { location }]) => t`${name} is at ${location}`).join(', ');
  return t`${places}, and no step is possible`;
}

/** The name of a process that is not where it may rest. */
function blockedIn({ document, processes }: BuiltSystem, { state }: SystemTrace): SystemField {
  const blocked = processes.find(it => !haltOf(it.name).has(state.processes[it.name]!.location));
  function haltOf(name: string): ReadonlySet<string> {
    return declaredOf(name).halt;
  }
  function declaredOf(name: string): BuiltSystem['document']['processes'][number] {
    return document.processes.find(it => it.name === name.replace(/\[\d+\]$/, ''))!;
  }
  return nameFieldOf(blocked === undefined ? document.processes[0]!.field : declaredOf(blocked.name).field);
}

function relatedSteps(
  { uri }: ManifestFile,
  { document }: BuiltSystem,
  trace: readonly TraceStep[],
): readonly RelatedLocation[] {
  return trace.slice(0, MOST_RELATED).map(({ process: name, step }, i) => {
    const declared = document.processes.find(it => it.name === name.replace(/\[\d+\]$/, ''));
    const field = declared?.steps.find(it => it.name === step)?.field ?? declared!.field;
    return { uri, span: spanOf(nameFieldOf(field)), message: `${i + 1}. ${name}: ${step}` };
  });
}

function spanOf({ node, source }: SystemField): Span {
  return { start: node.start + source.offset, end: node.end + source.offset };
}

function problemOf(
  { uri }: ManifestFile,
  { code, category, severity }: RuleMeta,
  message: string,
  span: Span,
  related: readonly RelatedLocation[] = [],
): Problem {
  return { code, category, severity, message, uri, document: 0, span, related, fixes: [] };
}
