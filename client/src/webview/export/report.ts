import type { PreviewModel } from '../../../../server/src/analysis/previewModel';
import { countsOf, queuesOf, resourcesOf, zonesOf } from '../state/selectors';
import { changeInWords, isTrying, triedBeside, triedIn } from '../state/whatIf';
import { strings } from '../text/strings';
import { freeInWords, resourceLabel } from '../text/units';

/** The placement as a Markdown report: what is tried, what differs, workloads, nodes, and who waits for what. */
export function reportOf(model: PreviewModel): string {
  const { header } = strings;
  const counts = countsOf(model);
  const queues = queuesOf(model);
  const sum = [
    header.placed(counts.placed),
    header.pending(counts.pending),
    header.evicted(counts.evicted),
    strings.refused.count(counts.refused),
    ...(queues ? [header.queues(queues)] : []),
  ];
  return [
    `# ${strings.report.title}`,
    [header.kubernetes(model.kubernetesVersion), model.cluster.label, ...sum].join(' · '),
    ...tried(model),
    `## ${strings.workloads.label}`,
    workloadTable(model),
    ...pendingPods(model),
    ...refusedPods(model),
    `## ${strings.report.nodes}`,
    nodeTable(model),
    ...(model.notes.length > 0 ? [`## ${header.notes}`, bullets(model.notes)] : []),
  ]
    .join('\n\n')
    .concat('\n');
}

function tried(model: PreviewModel): readonly string[] {
  const whatIf = triedIn(model);
  if (!isTrying(whatIf) || model.tried === undefined) return [];
  const words = strings.report;
  const { moved, lost, pending, evicted, problems } = model.tried.difference;
  const differences = [
    ...pending.map(words.waits),
    ...lost.map(words.lost),
    ...evicted.map(words.evicted),
    ...moved.map(({ pod, from, to }) => words.moved(pod, from, to)),
    ...problems,
  ];
  return [
    `## ${words.tried}`,
    bullets([...whatIf.changes.map(changeInWords), ...triedBeside(whatIf, model.choices).map(it => it.words)]),
    `## ${words.difference}`,
    bullets(differences.length > 0 ? differences : [strings.whatIf.difference.nothing]),
  ];
}

function workloadTable({ workloads }: PreviewModel): string {
  const words = strings.workloads;
  return table(
    [words.workload, words.placed, words.pending, words.nodes, words.zones, words.victims],
    workloads.map(it => [
      `${it.namespace}/${it.kind}/${it.name}`,
      words.of(it.onNode, it.pods.length),
      String(it.pending + it.evicted),
      it.nodes.join(', '),
      it.zones.join(', '),
      String(it.victims),
    ]),
  );
}

function pendingPods({ pods, attempts }: PreviewModel): readonly string[] {
  const words = strings.report;
  const waiting = pods.filter(it => it.state === 'pending');
  if (waiting.length === 0) return [];
  const rows = waiting.map(it => [it.id, attempts[it.id]?.message ?? '']);
  return [`## ${words.pending}`, table([words.pod, words.reason], rows)];
}

function refusedPods({ refused }: PreviewModel): readonly string[] {
  const words = strings.refused;
  if (refused.length === 0) return [];
  const rows = refused.map(it => [`${it.namespace}/${it.owner ?? it.name}`, String(it.pods), it.message]);
  return [`## ${words.title}`, table([words.workload, words.pods, words.reason], rows)];
}

function nodeTable({ nodes }: PreviewModel): string {
  const words = strings.report;
  const sorted = zonesOf(nodes).flatMap(it => it.nodes);
  const names = [...new Set(sorted.flatMap(it => resourcesOf(it).map(resource => resource.name)))];
  return table(
    [words.node, words.zone, ...names.map(resourceLabel)],
    sorted.map(node => [
      node.name,
      node.zone,
      ...names.map(name => {
        const it = node.resources.find(resource => resource.name === name);
        return it ? freeInWords(name, it.running + it.placed, it.allocatable) : '';
      }),
    ]),
  );
}

const bullets = (items: readonly string[]): string => items.map(it => `- ${inCell(it)}`).join('\n');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(inCell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const inCell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
