import { asObject, asText, type JsonValue } from '../../../base/json';
import { t } from '../../../base/l10n';
import { type ComparisonOperators, isTolerated } from '../../../cluster/pods/tolerations';
import type { ClusterIndex } from '../../../cluster/sources/clusterIndex';
import type { KindInfo, Kube } from '../../../kube/kube';
import { holdsPods } from '../../../kube/podTemplates';
import { explainQuantity } from '../../../kube/quantity';
import type { Toleration } from '../../../kube/types';
import { FieldPath } from '../../../manifest/fieldPath';
import { valueAt } from '../../../manifest/valueAt';
import { explainBriefly } from '../../../rules/engine/explain';
import type { Problem } from '../../../rules/framework/problem';
import { allows } from '../../../rules/references/referenceGrantMissing';
import { queueInWords } from '../../../scheduler/queue/words';
import type { NodeVerdict } from '../../../scheduler/result';
import { cellText, codeSpan, plainMarkdown } from '../../../text/markdown';
import type { WorkspaceObject } from '../../../workspace/object';
import { objectAt } from '../../../workspace/objectAt';
import type { Snapshot } from '../../../workspace/workspace';
import { comparisonOperators } from '../../placement/environmentFacts';
import type { EnvironmentPlacement } from '../../placement/environmentPlacement';
import { type PlacedInEnvironment, placedIn } from '../../placement/placedIn';
import type { Placements } from '../../placement/placements';
import type { Environment } from '../../state/environments';
import type { Hover } from '../annotations';
import { describeField, describeUnknownField, fieldFactsAt } from '../fieldDocs';
import { apiLifeInWords, immutability } from '../fieldLife';
import { COMPLETE, placementInWords, refusalInWords, type Wording } from '../placementWords';
import { clusterSections } from './clusterHover';
import { defaultOf } from './defaultOf';
import { fewLines, linesOf } from './fewLines';

interface HoverContext {
  readonly kube: Kube;
  readonly snapshot: Snapshot;
  readonly placements: Placements;
  readonly problems: readonly Problem[];
  readonly cluster: ClusterIndex | undefined;
  readonly environment: Environment;
  /** All environments of the file, each of which may render an object of it otherwise. */
  readonly environments: readonly PlacingEnvironment[];
  readonly as: Known;
}

/**
 * What is known where a question is answered. placed: where Pods land; else no placement is computed. givenUp: that takes too
 * long. unread: other files are not known either.
 */
export type Known = 'placed' | 'unplaced' | 'givenUp' | 'unread';

interface PlacingEnvironment {
  readonly placements: Placements;
}

/** Whether the hover at an offset tells where Pods land. */
export function tellsPlacement(snapshot: Snapshot, uri: string, offset: number): boolean {
  const object = objectAt(snapshot, uri, offset);
  const at = object?.manifest.pathAt(offset);
  return at !== undefined && isOfPlacement(at.path);
}

const isOfPlacement = (path: FieldPath): boolean => ['kind', 'metadata.name'].includes(path.toString());

/** The hover at an offset: placement, meaning of the value, documentation of the field. */
export function hoverAt(context: HoverContext, uri: string, offset: number): Hover | undefined {
  const object = objectAt(context.snapshot, uri, offset);
  const at = object?.manifest.pathAt(offset);
  if (!object || !at) return undefined;
  const value = valueAt(object.manifest.value, at.path);
  const known = [
    ...placementSections(context, object, at.path, offset),
    ...valueSections(context, object, at.path, value),
    ...clusterSections(context, object, at.path),
    ...lifeSections(context, object, at.path),
  ];
  const fields = fieldSections(context, object, at.path);
  const left = MOST_LINES - linesOf(known.join('\n')) - LEAST_LINES * fields.length;
  const problems = problemSections(context, offset, Math.max(LEAST_LINES, left));
  const docs = inFewLines(
    fields,
    MOST_LINES - linesOf([...problems, ...known].join('\n')),
    explainCommand(object, at.path),
  );
  const sections = [...problems, ...known, ...docs];
  if (sections.length === 0) return undefined;
  return { span: object.manifest.spanOf(at.path, at.part), markdown: sections.join('\n\n---\n\n') };
}

/** Lines of a hover before "more". */
const MOST_LINES = 15;
/** Lines that documentation may have in any case. */
const LEAST_LINES = 3;

/** Sections in `most` lines together, the last one shortened first. */
function inFewLines(sections: readonly string[], most: number, more: string): readonly string[] {
  let left = most;
  return sections.map((section, i) => {
    const later = sections.length - i - 1;
    const it = fewLines(section, Math.max(LEAST_LINES, left - later), more);
    left -= linesOf(it);
    return it;
  });
}

/** Where the whole documentation is: `kubectl explain pod.spec.containers`. */
function explainCommand({ kind }: WorkspaceObject, path: FieldPath): string {
  const names = path.segments.filter(it => typeof it === 'string');
  return t`… more: ${codeSpan(['kubectl explain ', [kind.toLowerCase(), ...names].join('.')].join(''))}`;
}

function problemSections(context: HoverContext, offset: number, most: number): readonly string[] {
  const codes = [...new Set(problemsAt(context, offset).map(it => it.code))];
  const each = Math.max(LEAST_LINES, Math.floor(Math.min(most, MOST_OF_CODES) / Math.max(1, codes.length)));
  return codes.flatMap(code => {
    const text = explainBriefly(code);
    return text === undefined ? [] : [fewLines(text, each, t`… more: ${codeSpan(`berth explain ${code}`)}`)];
  });
}

const problemsAt = ({ problems }: HoverContext, offset: number): readonly Problem[] =>
  problems.filter(it => it.span.start <= offset && offset <= it.span.end);

/** Lines about the problems of one place. */
const MOST_OF_CODES = 8;

function fieldSections({ kube }: HoverContext, object: WorkspaceObject, path: FieldPath): readonly string[] {
  const kind = kube.kindOf(object.apiVersion, object.kind);
  if (!kind || path.segments.length === 0) return [];
  const facts = fieldFactsAt(kind, path);
  const fixed = immutability(object, path);
  return [
    ...(facts ? [] : unknownFieldSections(kube, kind, path)),
    ...(fixed === undefined ? [] : [fixed]),
    ...(facts ? [describeField(kube, path.toString(), facts, defaultOf(object.manifest.value, path, kind, kube))] : []),
  ];
}

function unknownFieldSections(kube: Kube, kind: KindInfo, path: FieldPath): readonly string[] {
  const field = path.segments.at(-1);
  const owner = fieldFactsAt(kind, FieldPath.of(...path.segments.slice(0, -1)))?.schema;
  if (typeof field !== 'string' || owner?.type !== 'object') return [];
  const words = describeUnknownField(kube, path.toString(), owner, field);
  return words === undefined ? [] : [words];
}

function lifeSections({ kube }: HoverContext, object: WorkspaceObject, path: FieldPath): readonly string[] {
  if (path.toString() !== 'apiVersion') return [];
  return [apiLifeInWords(object, kube)].filter(it => it !== undefined);
}

function placementSections(
  context: HoverContext,
  object: WorkspaceObject,
  path: FieldPath,
  offset: number,
): readonly string[] {
  if (!isOfPlacement(path)) return [];
  if (context.as !== 'placed') return holdsPods(object.group, object.kind) ? [unknownPlacement(context.as)] : [];
  const all = placedIn(context.environments, object);
  const wording = wordingBeside(problemsAt(context, offset));
  const [only] = all;
  if (only && all.length === 1) return placementSection(only, wording, 'withNodes');
  const told = all.flatMap(it => placementSection(it, wording, 'inWords'));
  const left = told.length - MOST_OVERLAYS;
  return told.length === 0
    ? []
    : [[...told.slice(0, MOST_OVERLAYS), ...(left > 0 ? [t`… and ${left} more overlays`] : [])].join('\n\n')];
}

const unknownPlacement = (as: Exclude<Known, 'placed'>): string =>
  as === 'givenUp'
    ? t`Where its Pods land is not known: to place the Pods of this workspace takes too long.`
    : t`Where its Pods land is still being worked out.`;

/** Overlays of one object, each of which has a line. */
const MOST_OVERLAYS = 4;

/** Where the Pods of one object are placed; with a table of nodes, or in words alone. */
function placementSection(
  { placed: { object, placement, overlay } }: PlacedInEnvironment<PlacingEnvironment>,
  wording: Wording,
  as: 'withNodes' | 'inWords',
): readonly string[] {
  const refusal = placement.refusalOf(object);
  const pods = placement.podsOf(object);
  const first = pods[0];
  const name = [object.kind, object.name ?? '', ...(overlay === undefined ? [] : [t`(overlay ${overlay})`])].join(' ');
  const title = `**${plainMarkdown(name)}**`;
  if (refusal) {
    const told = plainMarkdown(`${refusalInWords(refusal, refusal.pods().count)}: ${refusal.message}`);
    return [`${title} ${told}`];
  }
  if (first === undefined) return [];
  const words = placementInWords(placement, pods, wording);
  if (as === 'inWords') return [`${title} ${plainMarkdown(words)}`];
  const summary = `${title} ${plainMarkdown(`${words} (${placement.source.label})`)}`;
  const attempt = placement.attempts.get(first);
  const table = attempt?.nodes && attempt.nodes.length > 0 ? verdictTable(attempt.nodes, attempt.node) : '';
  const queued = placement.queued(first);
  const waits = queued === undefined ? '' : plainMarkdown(t`Stays ${queueInWords(queued)}`);
  const notes = placement.notes
    .filter(it => it.startsWith(`${first}: `))
    .map(it => plainMarkdown(`⚠ ${it.slice(first.length + 2)}`));
  return [
    [summary, ...(pods.length > 1 && table ? [`${codeSpan(first)}:`] : []), table, waits, ...notes]
      .filter(it => it !== '')
      .join('\n\n'),
  ];
}

/** More names of nodes than these are counted. */
const MAX_NAMES = 3;

const namesIn = (nodes: readonly string[]): string =>
  nodes.length > MAX_NAMES ? t`${nodes.length} nodes` : nodes.join(', ');

/** A hover says in few lines where Pods land; what upstream says of preemption is in the preview. */
const IN_HOVER: Wording = {
  ...COMPLETE,
  nodes: namesIn,
  nodesOfSome: namesIn,
  reason: it => it.replace(/ preemption: .*$/s, ''),
};

/** The editor shows the problems above the hover: why a Pod is refused is not said again. */
function wordingBeside(problems: readonly Problem[]): Wording {
  const isSaid = (reason: string): boolean => problems.some(it => it.message.includes(reason));
  return {
    ...IN_HOVER,
    stuck: (why, reason) => (why === 'refused' && isSaid(reason) ? t('is refused') : IN_HOVER.stuck(why, reason)),
  };
}

/** The maximum number of rows in a hover; the preview has all of them. */
const MAX_ROWS = 4;

function verdictTable(nodes: readonly NodeVerdict[], chosen: string | undefined): string {
  const rank = (it: NodeVerdict): number => (it.verdict === 'feasible' ? (it.total ?? 0) : -1);
  const sorted = [...nodes].sort((a, b) => rank(b) - rank(a));
  const rows = sorted.slice(0, MAX_ROWS).map(it => {
    const name = it.node === chosen ? `**${cellText(it.node)}**` : cellText(it.node);
    return `| ${name} | ${verdictInWords(it, chosen)} |`;
  });
  const rest = sorted.length - rows.length;
  return [
    t('| Node | Verdict | Reason | Total |'),
    '|---|---|---|---:|',
    ...rows,
    ...(rest > 0 ? [`| … | ${t`${rest} more in the preview`} | | |`] : []),
  ].join('\n');
}

/** Verdict, reason and total as table cells. */
function verdictInWords(verdict: NodeVerdict, chosen: string | undefined): string {
  if (verdict.verdict === 'excluded') return `${t('not looked at')} | |`;
  if (verdict.verdict === 'rejected') {
    return `✗ ${cellText(verdict.plugin)} | ${cellText(verdict.reasons.join(', '))} |`;
  }
  return `${verdict.node === chosen ? t('✓ fits (chosen)') : t('✓ fits')} | | ${verdict.total ?? ''}`;
}

function valueSections(
  context: HoverContext,
  object: WorkspaceObject,
  path: FieldPath,
  value: JsonValue | undefined,
): readonly string[] {
  return [
    ...quantitySection(context, object, path, value),
    ...tolerationSection(context, object, path),
    ...preemptionSection(object, path, value),
    ...grantSection(context, object, path),
  ];
}

function quantitySection(
  { kube }: HoverContext,
  object: WorkspaceObject,
  path: FieldPath,
  value: JsonValue | undefined,
): readonly string[] {
  if (typeof value !== 'string' && typeof value !== 'number') return [];
  const kind = kube.kindOf(object.apiVersion, object.kind);
  const facts = kind && fieldFactsAt(kind, path);
  if (facts?.schema.type !== 'quantity') return [];
  const last = path.segments.at(-1);
  const words = explainQuantity(String(value), typeof last === 'string' ? last : undefined);
  return words === undefined ? [] : [t`${codeSpan(String(value))} is ${words}`];
}

/** The index of the path segment that is an item of `tolerations`. */
function tolerationItem(path: FieldPath): number | undefined {
  const list = path.segments.indexOf('tolerations');
  return list >= 0 && typeof path.segments[list + 1] === 'number' ? list + 1 : undefined;
}

function tolerationSection(context: HoverContext, object: WorkspaceObject, path: FieldPath): readonly string[] {
  const item = tolerationItem(path);
  if (item === undefined || context.as === 'unplaced') return [];
  const placement = placedIn(context.environments, object)[0]?.placed.placement;
  if (!placement) return [];
  const value = valueAt(object.manifest.value, FieldPath.of(...path.segments.slice(0, item + 1)));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return [toleratedInWords(value as Toleration, placement, comparisonOperators(context.kube))];
}

function toleratedInWords(
  toleration: Toleration,
  placement: EnvironmentPlacement,
  comparison: ComparisonOperators,
): string {
  const tolerated = placement.cluster.nodes.flatMap(node =>
    node.taints
      .filter(it => isTolerated(it, [toleration], comparison))
      .map(
        it =>
          `- ${codeSpan(`${it.key ?? ''}${it.value ? `=${it.value}` : ''}:${it.effect ?? ''}`)} on ${codeSpan(node.name)}`,
      ),
  );
  const where = plainMarkdown(placement.source.label);
  if (tolerated.length === 0) return t`This toleration tolerates no taint that a node has (${where}).`;
  const shown = tolerated.slice(0, MAX_ROWS);
  const rest = tolerated.length - shown.length;
  return [
    tolerated.length === 1
      ? t`This toleration tolerates 1 taint (${where}):`
      : t`This toleration tolerates ${tolerated.length} taints (${where}):`,
    [...shown, ...(rest > 0 ? [t`- and ${rest} more`] : [])].join('\n'),
  ].join('\n\n');
}

function preemptionSection(object: WorkspaceObject, path: FieldPath, value: JsonValue | undefined): readonly string[] {
  if (path.segments.at(-1) !== 'preemptionPolicy') return [];
  const who = object.kind === 'PriorityClass' ? t('Pods of this class') : t('The Pod');
  if (value === 'Never') {
    return [
      t`\`Never\`: ${who} go before Pods of lower priority in the queue, but never push a running Pod out: they wait until there is room. A Pod of higher priority can still evict them.`,
    ];
  }
  return [
    t`\`PreemptLowerPriority\` (the default): ${who} may evict running Pods of lower priority when there is no other way to fit.`,
  ];
}

function grantSection({ snapshot }: HoverContext, object: WorkspaceObject, path: FieldPath): readonly string[] {
  if (object.kind !== 'PersistentVolumeClaim' || !path.segments.includes('dataSourceRef')) return [];
  const ref = asObject(valueAt(object.manifest.value, FieldPath.of('spec', 'dataSourceRef')));
  const namespace = asText(ref?.namespace);
  if (namespace === undefined) return [];
  const source = {
    namespace,
    own: object.namespace ?? 'default',
    group: asText(ref?.apiGroup) ?? '',
    kind: asText(ref?.kind) ?? '',
    name: asText(ref?.name) ?? '',
  };
  const grant = snapshot.objectsOf('gateway.networking.k8s.io', 'ReferenceGrant').find(it => allows(it, source));
  if (!grant)
    return [t`No ReferenceGrant in namespace ${codeSpan(namespace)} of this workspace allows this reference.`];
  return [t`Allowed by ReferenceGrant ${codeSpan(`${namespace}/${grant.name ?? ''}`)}.`];
}
