import type { JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import type { Blame } from '../../explore/cluster/blame';
import type { Cure } from '../../explore/cluster/cures/cure';
import type { ClusterStep } from '../../explore/cluster/search';
import { groupOfPodKind } from '../../kube/podTemplates';
import { FieldPath } from '../../manifest/fieldPath';
import { valueAt } from '../../manifest/valueAt';
import { editTools } from '../../rules/edits/edit';
import { CannotEdit } from '../../rules/edits/editText';
import { written } from '../../rules/edits/yamlText';
import { withLazyFixes } from '../../rules/framework/fixes';
import { identityOf } from '../../rules/framework/identity';
import { type Layers, messageFields } from '../../rules/framework/layers';
import type { FileEdit, Fix, Problem, RelatedLocation } from '../../rules/framework/problem';
import { EXPLORATION_FINDING } from '../../rules/metas/exploration';
import type { ObjectRef } from '../../scheduler/whatIf/edits';
import type { Span } from '../../text/span';
import type { WorkspaceObject } from '../../workspace/object';
import type { ClusterExploration, ExplorationFinding } from '../exploring/exploration';
import type { PlacedFinding, ShownIn } from '../exploring/explorations';
import { textEditsOf, writtenObject } from './textEdits';

/** More places of one finding are not told. */
const MOST_PLACES = 5;

/** The findings at the fields that they come from, one for each field that is written in a file. */
export function placedFindings({ findings }: ClusterExploration, shown: ShownIn): readonly PlacedFinding[] {
  return findings.flatMap(finding => {
    const places = new Map(
      finding.blamed.flatMap(it => {
        const object = objectOf(it.object, shown);
        return object ? [[`${object.manifest.uri} ${spanOf(object, it).start}`, { object, blame: it }] as const] : [];
      }),
    );
    return [...places.values()]
      .slice(0, MOST_PLACES)
      .map(({ object, blame }) => ({ finding, problem: problemOf(finding, object, blame, shown) }));
  });
}

const objectOf = (ref: ObjectRef, { snapshot, counts }: ShownIn): WorkspaceObject | undefined =>
  writtenObject(snapshot, ref, counts);

function spanOf({ manifest }: WorkspaceObject, { path }: Blame): Span {
  const at = FieldPath.of(...path);
  const value = valueAt(manifest.value, at);
  return manifest.spanOf(at, manifest.has(at) && typeof value !== 'object' ? 'value' : 'key');
}

function problemOf(finding: ExplorationFinding, object: WorkspaceObject, blame: Blame, shown: ShownIn): Problem {
  const { code, category, severity } = EXPLORATION_FINDING;
  const { uri, document, item } = object.manifest;
  const problem = {
    code,
    category,
    severity,
    ...messageFields(layersFor(finding)),
    uri,
    document,
    ...(item !== undefined && { item }),
    object: identityOf(object),
    span: spanOf(object, blame),
    related: relatedSteps(finding, object, shown),
  };
  return withLazyFixes(problem, () => finding.cures.flatMap(it => fixOf(it, object, shown)));
}

/** Longer ways are told in part; the related locations have all of their steps. */
const MOST_STEPS = 12;
const MOST_RELATED = 100;

/** The way is what stands behind the sentence. */
function layersFor({ says, steps, cycle, upToNames }: ExplorationFinding): Layers {
  const headline = asSentence(says);
  const way = steps.length === 0 ? [] : [t`The way there: ${listed(steps)}.`];
  const detail = [...way, ...(cycle ? [repetition(listed(cycle), upToNames)] : [])].join(' ');
  return { headline, detail, message: `${headline} ${detail}`.trim() };
}

function asSentence(clause: string): string {
  const capital = `${clause.charAt(0).toUpperCase()}${clause.slice(1)}`;
  return t`${capital}.`;
}

const repetition = (steps: string, upToNames: true | undefined): string =>
  upToNames
    ? t`And then again and again, with equal nodes in each other's place: ${steps}.`
    : t`And then again and again: ${steps}.`;

const inWords = ({ actor, step }: ClusterStep): string => `${actor}: ${step}`;

function listed(steps: readonly ClusterStep[]): string {
  const told = steps.slice(0, MOST_STEPS).map(inWords).join(', ');
  return steps.length > MOST_STEPS ? `${told}, …` : told;
}

const AUTOSCALING = ['autoscaling', 'autoscaling.k8s.io'];

/** Each step at the object that acts, where it is written, else at the one that is to blame. */
function relatedSteps(
  { steps, cycle = [] }: ExplorationFinding,
  blamed: WorkspaceObject,
  { snapshot, counts }: ShownIn,
): readonly RelatedLocation[] {
  const actors = new Map<string, WorkspaceObject>();
  const find = ([kind = '', title = '']: readonly string[]): WorkspaceObject => {
    const name = title.slice(title.indexOf('/') + 1);
    const all = [groupOfPodKind(kind) ?? '', ...AUTOSCALING].flatMap(it => snapshot.objectsOf(it, kind));
    return all.find(it => it.name === name && counts(it)) ?? blamed;
  };
  const actorOf = ({ actor }: ClusterStep): WorkspaceObject => {
    const known = actors.get(actor) ?? find(actor.split(' '));
    actors.set(actor, known);
    return known;
  };
  return [...steps, ...cycle].slice(0, MOST_RELATED).map((step, i) => {
    const { manifest } = actorOf(step);
    const span = manifest.spanOf(FieldPath.of('metadata', 'name'), 'value');
    return { uri: manifest.uri, span, message: `${i + 1}. ${inWords(step)}` };
  });
}

/** The change as an edit of the files; none where a file cannot be changed so. */
function fixOf({ title, edits, adds, deletes }: Cure, blamed: WorkspaceObject, shown: ShownIn): readonly Fix[] {
  const { snapshot, counts } = shown;
  const changed = textEditsOf(snapshot, edits, counts);
  if (changed === undefined || deletes.some(it => objectOf(it, shown) === undefined)) return [];
  try {
    const tools = editTools(snapshot);
    const added = adds.map(it => tools.appendDocument(blamed, written(it as JsonValue, 'block')));
    const deleted = deletes.flatMap(it => deletionOf(it, shown));
    const words = `${title.charAt(0).toUpperCase()}${title.slice(1)}`;
    return [{ title: words, safety: 'unsafe', edits: [...changed, ...added, ...deleted] }];
  } catch (error) {
    if (error instanceof CannotEdit) return [];
    throw error;
  }
}

/** Throws CannotEdit where the object is not a document of its own. */
function deletionOf(ref: ObjectRef, shown: ShownIn): readonly FileEdit[] {
  const object = objectOf(ref, shown);
  const file = object && shown.snapshot.files.get(object.manifest.uri);
  if (object === undefined || file === undefined) return [];
  const { uri, document, item } = object.manifest;
  const span = file.documents.find(it => it.index === document)?.span;
  if (item !== undefined || span === undefined || file.format === 'json')
    throw new CannotEdit(t('it is part of a list'));
  const isLast = span.end >= file.text.length;
  // With the line that parts it from the next document, or of the last one from the one before.
  const start = isLast ? Math.max(0, file.text.lastIndexOf('---', span.start)) : span.start;
  const end = isLast ? file.text.length : Math.min(file.text.length, lineAfter(file.text, span.end));
  return [{ uri, span: { start, end }, newText: '' }];
}

function lineAfter(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}
