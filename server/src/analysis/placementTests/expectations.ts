import { t } from '../../base/l10n';
import { ownOf } from '../../base/ownOf';
import { printed } from '../../base/printed';
import { type CheckResult, failureOf } from '../../kube/cel/environment';
import { celValue } from '../../kube/cel/values';
import type { Expectation, PodSelector } from './format';
import { type NodeOutcome, selected, type TestedPod, type TestOutcome } from './outcome';

type Of<K extends Expectation['kind']> = Extract<Expectation, { readonly kind: K }>;

/** The expectations that one run decides; undefined when it is met, else why it is not, a sentence. */
export function failureIn(
  expectation: Of<'scheduled' | 'pending' | 'spread' | 'landOn' | 'victims'>,
  outcome: TestOutcome,
): string | undefined {
  const pods = selected(outcome.pods, expectation.pods);
  if (pods.length === 0 && expectation.kind !== 'victims') return noPodIs(expectation.pods);
  switch (expectation.kind) {
    case 'scheduled':
      return unplaced(pods);
    case 'pending': {
      const placed = pods.filter(it => it.node !== undefined);
      return placed.length === 0 ? undefined : list(placed, it => t`${it.id} has the node ${it.node}`);
    }
    case 'spread':
      return badSpread(expectation, pods, outcome.nodes);
    case 'landOn':
      return elsewhere(expectation, pods, outcome.nodes);
    case 'victims': {
      const victims = pods.filter(it => it.status === 'evicted');
      if (victims.length <= expectation.atMost) return undefined;
      const names = list(victims, it => it.id);
      return victims.length === 1
        ? t`${names} is evicted, ${expectation.atMost} at most may be`
        : t`${names} are evicted, ${expectation.atMost} at most may be`;
    }
  }
}

/** Why not all of some Pods have a node. */
export function unplaced(pods: readonly TestedPod[]): string | undefined {
  const without = pods.filter(it => it.node === undefined);
  if (without.length === 0) return undefined;
  const [first] = without;
  const why = first?.status === 'evicted' ? t('it is evicted') : (first?.message ?? t`it is ${first?.status}`);
  return without.length === 1
    ? t`${first?.id} has no node: ${why}`
    : t`${first?.id} has no node: ${why} (and ${without.length - 1} more of ${pods.length})`;
}

function badSpread(
  { over, bounds }: Of<'spread'>,
  pods: readonly TestedPod[],
  nodes: readonly NodeOutcome[],
): string | undefined {
  const domainOf = new Map(nodes.map(({ name, labels }) => [name, ownOf(labels, over)]));
  const counts = new Map<string, number>();
  for (const domain of domainOf.values()) if (domain !== undefined) counts.set(domain, 0);
  for (const { node } of pods) {
    const domain = domainOf.get(node ?? '');
    if (domain !== undefined) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  }
  const used = [...counts].filter(([, count]) => count > 0);
  const { atLeast = 0, maxPerDomain = Infinity, maxSkew = Infinity } = bounds;
  const named = used.length > MOST_DOMAINS ? used.toSorted(([, a], [, b]) => b - a) : used;
  const shown = list(named, ([domain, count]) => `${domain}: ${count}`, MOST_DOMAINS) || t('nowhere');
  if (used.length < atLeast) return t`they are in ${used.length} of at least ${atLeast} ${over} (${shown})`;
  let [least, most] = [Infinity, 0];
  for (const count of counts.values()) [least, most] = [Math.min(least, count), Math.max(most, count)];
  if (most > maxPerDomain) return t`${most} are in one ${over}, at most ${maxPerDomain} may be (${shown})`;
  const skew = most - least;
  return counts.size > 0 && skew > maxSkew
    ? t`their skew over ${over} is ${skew}, at most ${maxSkew} (${shown})`
    : undefined;
}

function elsewhere(
  { nodes: wanted }: Of<'landOn'>,
  pods: readonly TestedPod[],
  nodes: readonly NodeOutcome[],
): string | undefined {
  const right = new Set(
    nodes.filter(it => Object.entries(wanted).every(([key, value]) => it.labels[key] === value)).map(it => it.name),
  );
  const wrong = pods.filter(it => it.node !== undefined && !right.has(it.node));
  if (wrong.length === 0) return undefined;
  const labels = Object.entries(wanted).map(([key, value]) => `${key}=${value}`);
  const places = list(wrong, it => t`${it.id} is on ${it.node}`);
  return t`${places}, which has not ${labels.join(', ')}`;
}

const asCel = (it: TestedPod | NodeOutcome): unknown => celValue({ ...it });

/** `pods`, `nodes` and `evicted`, as CEL has them. */
export function celVariables({ pods, nodes }: TestOutcome): Readonly<Record<string, unknown>> {
  return {
    pods: pods.map(asCel),
    nodes: nodes.map(asCel),
    evicted: pods.filter(it => it.status === 'evicted').map(asCel),
  };
}

/** Asks CEL about its variables. */
export function failureOfCel(
  expression: string,
  compile: (text: string) => CheckResult,
  variables: Readonly<Record<string, unknown>>,
): string | undefined {
  const checked = compile(expression);
  if ('problem' in checked) return checked.problem;
  if ('undecided' in checked) return t`Berth cannot evaluate ${checked.undecided}`;
  try {
    const value = checked.run(variables);
    return value === true ? undefined : t`${expression.trim()} is ${printed(value)}`;
  } catch (error) {
    const failure = failureOf(error);
    return t`${expression.trim()} cannot be evaluated: ${'error' in failure ? failure.error : failure.undecided}`;
  }
}

/** That a selector selects nothing. */
export function noPodIs({ workload, namespace, labels = {} }: PodSelector): string {
  const parts = [
    workload !== undefined ? t`of ${workload}` : '',
    namespace !== undefined ? t`in ${namespace}` : '',
    ...Object.entries(labels).map(([key, value]) => t`labelled ${key}=${value}`),
  ].filter(it => it !== '');
  return parts.length === 0 ? t('there is no Pod') : t`no Pod is ${parts.join(t(' and '))}`;
}

/** Domains of a topology that a message names. */
const MOST_DOMAINS = 10;

/** The first items in words, and how many more there are. */
export function list<T>(items: readonly T[], inWords: (item: T) => string, most = 3, separator = ', '): string {
  const shown = items.slice(0, most).map(inWords).join(separator);
  return items.length > most ? t`${shown} and ${items.length - most} more` : shown;
}
