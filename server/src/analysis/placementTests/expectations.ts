import { t } from '../../base/l10n';
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
      return placed.length === 0 ? undefined : list(placed.map(it => t`${it.id} has the node ${it.node}`));
    }
    case 'spread':
      return badSpread(expectation, pods, outcome.nodes);
    case 'landOn':
      return elsewhere(expectation, pods, outcome.nodes);
    case 'victims': {
      const victims = pods.filter(it => it.status === 'evicted');
      if (victims.length <= expectation.atMost) return undefined;
      const names = list(victims.map(it => it.id));
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
  const domainOf = new Map(nodes.map(it => [it.name, it.labels[over]]));
  const counts = new Map<string, number>();
  for (const domain of domainOf.values()) if (domain !== undefined) counts.set(domain, 0);
  for (const { node } of pods) {
    const domain = domainOf.get(node ?? '');
    if (domain !== undefined) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  }
  const used = [...counts].filter(([, count]) => count > 0);
  const { atLeast = 0, maxPerDomain = Infinity, maxSkew = Infinity } = bounds;
  const shown = used.map(([domain, count]) => `${domain}: ${count}`).join(', ') || t('nowhere');
  if (used.length < atLeast) return t`they are in ${used.length} of at least ${atLeast} ${over} (${shown})`;
  const most = Math.max(0, ...counts.values());
  if (most > maxPerDomain) return t`${most} are in one ${over}, at most ${maxPerDomain} may be (${shown})`;
  const skew = most - Math.min(...counts.values());
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
  const places = list(wrong.map(it => t`${it.id} is on ${it.node}`));
  return t`${places}, which has not ${labels.join(', ')}`;
}

const asCel = (it: TestedPod | NodeOutcome): unknown => celValue({ ...it });

/** Asks CEL about `pods`, `nodes` and `evicted`. */
export function failureOfCel(
  expression: string,
  compile: (text: string) => CheckResult,
  { pods, nodes }: TestOutcome,
): string | undefined {
  const checked = compile(expression);
  if ('problem' in checked) return checked.problem;
  if ('undecided' in checked) return t`Berth cannot evaluate ${checked.undecided}`;
  const variables = {
    pods: pods.map(asCel),
    nodes: nodes.map(asCel),
    evicted: pods.filter(it => it.status === 'evicted').map(asCel),
  };
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

function list(words: readonly string[]): string {
  const shown = words.slice(0, 3).join(', ');
  return words.length > 3 ? t`${shown} and ${words.length - 3} more` : shown;
}
