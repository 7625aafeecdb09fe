import { t } from '../../base/l10n';
import { mutationSentences } from '../../cluster/admission/mutationAdmission';
import type { PodModel } from '../../cluster/pods/podModel';
import { noNominatedPods } from '../../scheduler/framework/cycle';
import { waitsInWords } from '../../scheduler/queue/words';
import type { Attempt, PlacementResult } from '../../scheduler/result';
import type { Study, StudyRun } from '../../scheduler/whatIf/counterfactuals';
import { preemptionSentences } from './preemption';
import { refusalInWords } from './refusals';
import { scoreSentences } from './scores';
import { type ExplainedStep, named } from './steps';

type Tried = NonNullable<ReturnType<StudyRun['lastCycles']['get']>>;

export interface Explanation {
  /** NAMESPACE/NAME */
  readonly pod: string;
  /** What it came to, in one sentence. */
  readonly summary: string;
  readonly steps: readonly ExplainedStep[];
}

/** The Pod of a NAMESPACE/NAME, or the first of a name alone; undefined: there is none. */
export function podNamed({ base: { scenario } }: Study, name: string): string | undefined {
  const { pending, rejected, cluster } = scenario;
  const ids = [...pending, ...rejected, ...cluster.running].map(it => it.id);
  return ids.find(it => it === name) ?? ids.find(it => it.endsWith(`/${name}`));
}

/** Why a Pod lands where it does, or nowhere, step by step as kube-scheduler takes them; undefined for no such Pod. */
export function explainPlacement(study: Study, pod: string): Explanation | undefined {
  const run = study.runFor(pod);
  const { scenario, result } = run;
  const attempts = result.attempts.filter(it => it.pod === pod && it.status !== 'superseded');
  const model = [...scenario.pending, ...scenario.cluster.running].find(it => it.id === pod);
  const last = attempts.at(-1);
  if (last === undefined) {
    const summary = t`${pod} runs on ${model?.nodeName ?? '?'} already.`;
    return model && { pod, summary, steps: evictionSentence(result, pod) };
  }
  const steps = [
    ...mutationSteps(model),
    ...turnSentence(result, attempts[0]!),
    // What was seen is known of the last look only.
    ...attempts.flatMap(it => attemptSentences(it === last ? run.lastCycles.get(pod) : undefined, run, it, model)),
    ...queueSentence(result, pod),
    ...evictionSentence(result, pod),
  ];
  return { pod, summary: summaryOf(last, attempts.length), steps };
}

function summaryOf({ pod, status, node, preemption }: Attempt, tries: number): string {
  switch (status) {
    case 'scheduled':
      return tries > 1
        ? t`${pod} lands on ${node ?? '?'}, once its victims have gone.`
        : t`${pod} lands on ${node ?? '?'}.`;
    case 'gated':
      return t`${pod} is not tried: something holds it back before the queue.`;
    case 'rejected':
      return t`${pod} does not come into the cluster: the API server refuses it.`;
    case 'ignored':
      return t`${pod} is left alone by the scheduler.`;
    default:
      return preemption?.nominatedNode === undefined
        ? t`${pod} has no node.`
        : t`${pod} has no node yet: it waits on ${preemption.nominatedNode} for its victims to go.`;
  }
}

/** What mutating policies changed of the Pod, before anybody looked for a node. */
function mutationSteps(pod: PodModel | undefined): readonly ExplainedStep[] {
  if (!pod?.mutatedBy) return [];
  const changed = { kind: 'Pod', id: pod.id, by: pod.mutatedBy };
  return mutationSentences(changed).map(sentence => ({ plugin: 'Admission', sentence, nodes: [] }));
}

function turnSentence({ attempts }: PlacementResult, { pod, priority, status }: Attempt): readonly ExplainedStep[] {
  if (status === 'gated' || status === 'rejected' || status === 'ignored') return [];
  const order = [...new Set(attempts.filter(it => it.status !== 'superseded').map(it => it.pod))];
  if (order.length < 2) return [];
  const place = order.indexOf(pod) + 1;
  const sentence = t`Its turn is number ${place} of ${order.length}, with priority ${priority.toLocaleString('en')}: a higher priority goes first, and of equals who came first. Pods that were placed before it count as running.`;
  return [{ plugin: 'PrioritySort', sentence, nodes: [] }];
}

function attemptSentences(
  tried: Tried | undefined,
  run: StudyRun,
  attempt: Attempt,
  pod: PodModel | undefined,
): readonly ExplainedStep[] {
  const { status, message = '', preFilterRejection, group } = attempt;
  if (status === 'rejected') return [{ plugin: 'Admission', sentence: t`The API server says: ${message}.`, nodes: [] }];
  if (status === 'ignored') {
    const sentence = t`Nobody places it: ${`${message}${pod ? ` (schedulerName ${pod.schedulerName})` : ''}`}.`;
    return [{ plugin: 'Scheduler', sentence, nodes: [] }];
  }
  const again = attempt.attempt > 1 ? [{ plugin: 'Scheduler', sentence: t('It is tried again.'), nodes: [] }] : [];
  return [
    ...again,
    ...(group === undefined
      ? []
      : [
          {
            plugin: 'GangScheduling',
            sentence: t`It is placed together with the Pods of its group ${group}.`,
            nodes: [],
          },
        ]),
    ...(preFilterRejection
      ? [
          {
            plugin: preFilterRejection.plugin,
            sentence:
              preFilterRejection.point === 'PreEnqueue'
                ? t`It does not come into the queue: ${preFilterRejection.reasons.join(', ')}.`
                : t`No node is looked at, as none can do: ${preFilterRejection.reasons.join(', ')}.`,
            nodes: [],
          },
        ]
      : []),
    ...rejectionSentences(tried, attempt),
    ...(status === 'error' ? [{ plugin: 'Scheduler', sentence: t`The attempt fails: ${message}.`, nodes: [] }] : []),
    ...(status === 'scheduled' ? scoreSentences(attempt) : []),
    ...preemptionSentences(run, attempt),
    ...takenSentences(attempt),
  ];
}

/** Nodes with the same plugin and reason are one sentence, those of most nodes first. */
function rejectionSentences(tried: Tried | undefined, { nodes = [] }: Attempt): readonly ExplainedStep[] {
  const pod = tried?.pod;
  const all = tried?.cycle.nodes ?? [];
  const namespaces = tried?.cycle.cluster.namespaces ?? new Map();
  const nominated = tried?.cycle.nominated ?? noNominatedPods;
  const infos = new Map(all.map(it => [it.name, it]));
  const groups = new Map<string, { plugin: string; reason: string; nodes: string[] }>();
  for (const it of nodes) {
    if (it.verdict !== 'rejected') continue;
    for (const reason of it.reasons) {
      const key = `${it.plugin}\n${reason}`;
      const known = groups.get(key) ?? { plugin: it.plugin, reason, nodes: [] };
      known.nodes.push(it.node);
      groups.set(key, known);
    }
  }
  const left = nodes.filter(it => it.verdict === 'excluded').map(it => it.node);
  const excluded =
    left.length === 1
      ? t`${named(left)} is not looked at: what the Pod asks for can only be elsewhere.`
      : t`${named(left)} are not looked at: what the Pod asks for can only be elsewhere.`;
  return [
    ...(left.length === 0 ? [] : [{ plugin: 'PreFilter', sentence: excluded, nodes: left }]),
    ...[...groups.values()]
      .sort((a, b) => b.nodes.length - a.nodes.length)
      .map(({ plugin, reason, nodes: names }) => {
        const known = names.map(it => infos.get(it)).filter(it => it !== undefined);
        const words =
          pod && known.length > 0
            ? refusalInWords(plugin, { pod, nodes: known, reason, all, namespaces, nominated })
            : reason;
        const said = words === reason ? '' : ` (“${reason}”)`;
        return {
          plugin,
          sentence:
            names.length === 1
              ? t`${named(names)} is out: ${words}${said}.`
              : t`${named(names)} are out: ${words}${said}.`,
          nodes: names,
        };
      }),
  ];
}

function takenSentences({ volumes = [], claims = [] }: Attempt): readonly ExplainedStep[] {
  const of = volumes.map(({ claim, mode, pv, topology }) => {
    const where = Object.entries(topology ?? {}).map(([key, value]) => `${key}=${value}`);
    if (mode === 'static') return t`The claim ${claim} gets the volume ${pv ?? ''}.`;
    return where.length === 0
      ? t`For the claim ${claim} a new volume is made.`
      : t`For the claim ${claim} a new volume is made that can only be used where ${where.join(', ')}.`;
  });
  return [
    ...of.map(sentence => ({ plugin: 'VolumeBinding', sentence, nodes: [] })),
    ...claims.map(({ claim, devices }) => ({
      plugin: 'DynamicResources',
      sentence: t`The claim ${claim} gets ${devices.join(', ')}.`,
      nodes: [],
    })),
  ];
}

function queueSentence({ queue = [] }: PlacementResult, pod: string): readonly ExplainedStep[] {
  const found = queue.find(it => it.pod === pod);
  if (found === undefined) return [];
  const waits = waitsInWords(found.waitsFor);
  const why =
    found.queue === 'backoff'
      ? t('something has changed since, so that it is tried again after a while')
      : waits === ''
        ? t('nothing that happens in the cluster brings it back by itself')
        : t`it is tried again when ${waits}`;
  return [{ plugin: 'SchedulingQueue', sentence: t`It stays in the ${found.queue} queue: ${why}.`, nodes: [] }];
}

function evictionSentence({ attempts, evicted }: PlacementResult, pod: string): readonly ExplainedStep[] {
  if (!evicted.includes(pod)) return [];
  const by = attempts.find(it => it.preemption?.victims?.includes(pod))?.pod;
  const sentence = by === undefined ? t('Later it is evicted.') : t`Later it is evicted to make room for ${by}.`;
  return [{ plugin: 'DefaultPreemption', sentence, nodes: [] }];
}
