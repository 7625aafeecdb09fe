import { isObject, type JsonValue } from '../../base/json';
import { FieldPath } from '../../manifest/fieldPath';
import type { ManifestDocument, ManifestFile } from '../../manifest/manifest';
import { parseManifests } from '../../manifest/parse';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import { type ConftestFolder, isIn, pathIn } from './folders';

/** One document, the unit that Conftest tests. */
export interface TestedDocument {
  /** Relative to the folder in which Conftest runs. */
  readonly path: string;
  readonly value: JsonValue;
  /**
   * The Kubernetes objects in it; the items, for a List. If it has none, the nearest object of the file, where results
   * are shown.
   */
  readonly objects: readonly WorkspaceObject[];
  /** Set when the document holds no Kubernetes object. */
  readonly nonObject?: 'empty' | 'other';
}

/** A file with all documents that Conftest reads. */
export interface ConftestFile {
  readonly file: ManifestFile;
  readonly path: string;
  readonly documents: readonly TestedDocument[];
  /** Objects in documents that Conftest does not read. */
  readonly skipped: readonly WorkspaceObject[];
}

/** Whether Conftest would test an object in a folder: it lies beside or below the Rego and is a Kubernetes object. */
export const isTestedIn = (folder: ConftestFolder, object: WorkspaceObject): boolean =>
  isKubernetes(object) && isFileOf(folder, object.manifest.uri);

const isKubernetes = ({ apiVersion, kind }: WorkspaceObject): boolean => apiVersion !== '' && kind !== '';

export const isFileOf = ({ root, settings }: ConftestFolder, uri: string): boolean =>
  !isIn(uri, settings.policy) && pathIn(root, uri) !== undefined;

/** A file that Conftest would test, with its Kubernetes objects (at least one). */
export interface FileWithObjects {
  readonly file: ManifestFile;
  readonly objects: readonly WorkspaceObject[];
}

export const filesWithObjects = (folder: ConftestFolder, snapshot: Snapshot): readonly FileWithObjects[] =>
  [...snapshot.files.keys()].flatMap(uri => (isFileOf(folder, uri) && fileWithObjects(uri, snapshot)) || []);

export function fileWithObjects(uri: string, snapshot: Snapshot): FileWithObjects | undefined {
  const file = snapshot.files.get(uri);
  const objects = snapshot.objectsIn(uri).filter(isKubernetes);
  return file === undefined || objects.length === 0 ? undefined : { file, objects };
}

/** The header of a block scalar whose end depends on the line breaks after it. */
const BLOCK = /[|>][+0-9]*[ \t]*[#\n]/;

/**
 * Whether Conftest certainly reads each object of a file alone and unchanged. This is true of most files and is
 * checked for all of them at each change, so it has to be quick.
 */
export function isOrdinary({ file: { text, format, documents }, objects }: FileWithObjects): boolean {
  if (objects.length !== documents.length || objects.some(it => it.manifest.item !== undefined)) return false;
  if (format === 'json') return true;
  if (documents.length === 1) return documents.every(it => it.span.start <= DOCUMENT_MARK.length);
  if (text.startsWith('%') || text.includes('\r')) return false;
  let separators = 0;
  for (let at = text.indexOf(SEPARATOR); at >= 0; at = text.indexOf(SEPARATOR, at + SEPARATOR.length)) separators++;
  // The last document has nothing after it.
  const followed = text.slice(0, text.lastIndexOf(SEPARATOR) + 1);
  const mayEndInBlock = (followed.includes('|') || followed.includes('>')) && BLOCK.test(followed);
  return separators === documents.length - 1 && !mayEndInBlock;
}

const DOCUMENT_MARK = '---\n';
const SEPARATOR = `\n${DOCUMENT_MARK}`;

/** A file as Conftest reads it. */
export function testedFile({ root }: ConftestFolder, { file, objects }: FileWithObjects): ConftestFile {
  const path = pathIn(root, file.uri) ?? file.uri;
  const parts = partsOf(file);
  const read = new Set(parts.map(it => it.first?.index));
  const isRead = ({ manifest }: WorkspaceObject): boolean => read.has(manifest.document);
  const readObjects = objects.filter(isRead);
  const documents = parts.flatMap(it => testedDocument(it, path, readObjects, file));
  return { file, path, documents, skipped: objects.filter(it => !isRead(it)) };
}

/** The part of a file between two separators, as Conftest splits it. */
interface Part {
  readonly start: number;
  readonly end: number;
  /** The only document of the part that Conftest reads. */
  readonly first: ManifestDocument | undefined;
}

/**
 * Conftest splits YAML at lines that are exactly `---` and reads the first document of each part. It never reads what
 * follows `--- # a comment`.
 */
function partsOf({ text, format, documents }: ManifestFile): readonly Part[] {
  if (format === 'json') return documents.map(it => ({ start: it.span.start, end: it.span.end, first: it }));
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const separator = `${lineBreak}---${lineBreak}`;
  const found: { readonly end: number; readonly next: number }[] = [];
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + separator.length)) {
    found.push({ end: at, next: at + separator.length });
  }
  // A directive belongs to the document after it.
  const cuts = text.startsWith('%') ? found.slice(1) : found;
  const starts = [0, ...cuts.map(it => it.next)];
  const ends = [...cuts.map(it => it.end), text.length];
  return starts.map((start, i) => {
    const next = starts[i + 1] ?? Number.POSITIVE_INFINITY;
    const own = documents.filter(it => it.span.start >= start && it.span.start < next);
    return { start, end: ends[i] ?? text.length, first: own.find(it => it.value !== undefined) };
  });
}

function testedDocument(
  part: Part,
  path: string,
  objects: readonly WorkspaceObject[],
  file: ManifestFile,
): readonly TestedDocument[] {
  const { first } = part;
  const own = objects.filter(it => it.manifest.document === first?.index);
  if (first !== undefined && own.length > 0) return [{ path, value: valueRead(part, first, own, file), objects: own }];
  const near = objects.find(it => it.manifest.span.start >= part.start) ?? objects.at(-1);
  const isBlank = isBlankYaml(file.text.slice(part.start, part.end));
  // Text that is not YAML ends Conftest's run. The syntax error itself is reported elsewhere.
  if (near === undefined || (first === undefined && !isBlank)) return [];
  const nonObject = first === undefined || first.value === null ? 'empty' : 'other';
  return [{ path, value: first?.value ?? null, objects: [near], nonObject }];
}

/**
 * The value of a document as Conftest reads it. Conftest counts the line break before a separator as part of the
 * separator, so a block scalar at the end of a document may have one line break less.
 */
function valueRead(
  { start, end }: Part,
  { value = null }: ManifestDocument,
  [object]: readonly WorkspaceObject[],
  { uri, text }: ManifestFile,
): JsonValue {
  const last = end < text.length ? lastText(value) : undefined;
  if (object === undefined || object.manifest.item !== undefined || !last?.text.endsWith('\n')) return value;
  const from = object.manifest.spanOf(FieldPath.of(...last.at), 'value').start;
  if (!/^(?:[&!]\S*\s+)*[|>]/.test(text.slice(from, from + 200))) return value;
  return parseManifests(uri, text.slice(start, end)).documents.find(it => it.value !== undefined)?.value ?? value;
}

/** The last text in a value, and the path to it. */
function lastText(value: JsonValue): { readonly text: string; readonly at: readonly (string | number)[] } | undefined {
  if (typeof value === 'string') return { text: value, at: [] };
  const step = Array.isArray(value) ? value.length - 1 : isObject(value) ? Object.keys(value).at(-1) : undefined;
  const inner = step === undefined ? undefined : (value as Readonly<Record<string | number, JsonValue>>)[step];
  const found = inner === undefined ? undefined : lastText(inner);
  return found && step !== undefined ? { text: found.text, at: [step, ...found.at] } : undefined;
}

/** Whether a part holds only comments and document markers. */
const isBlankYaml = (text: string): boolean =>
  text.split('\n').every(it => /^\uFEFF?(?:---|\.\.\.)?\s*(?:#.*)?$/.test(it.replace('\r', '')));
