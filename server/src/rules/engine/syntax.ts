import { isObject, type JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import type { Segment } from '../../manifest/fieldPath';
import type { DuplicateKey, ManifestDocument, ManifestFile, ManifestObject } from '../../manifest/manifest';
import { KEY_TYPE } from '../../manifest/values';
import type { Span } from '../../text/span';
import type { WorkspaceObject } from '../../workspace/object';
import { identityOf } from '../framework/identity';
import { layered, messageFields } from '../framework/layers';
import type { Fix, Problem } from '../framework/problem';
import { MOST_OF_ONE_OBJECT, type RuleMeta } from '../framework/rule';

export const DUPLICATE_FIELD: RuleMeta = {
  code: 'decode/duplicate-field',
  category: 'decode',
  severity: 'error',
  cost: 'typing',
  summary: 'A key is written twice in one mapping.',
  why: 'Strict decoding, the default of kubectl, refuses the object. Without it the last value wins and the first is ignored.',
  remedy: 'Keep one of the two entries.',
  source: { project: 'kubernetes', symbol: 'sigs.k8s.io/yaml.UnmarshalStrict', fidelity: 'same' },
};

export const NOT_AN_OBJECT: RuleMeta = {
  code: 'decode/not-an-object',
  category: 'decode',
  severity: 'error',
  cost: 'typing',
  summary: 'A document among Kubernetes objects is text, a number or a list.',
  why: 'kubectl finds neither an apiVersion nor a kind in it and ends with an error: "couldn\'t get version/kind". What stands behind it in the file is not applied.',
  remedy: 'Remove the document, or write the object that is meant. A list of objects is a `kind: List` with `items`.',
  details: 'A file in which nothing is a Kubernetes object belongs to another tool and is left alone.',
  source: { project: 'kubernetes', symbol: 'json.SimpleMetaFactory.Interpret', fidelity: 'same' },
};

/**
 * Problems of the text itself, as the parser found them. Names of keys concern Kubernetes' objects alone: `on:` of a
 * workflow is read by other programs.
 */
export function syntaxProblems(file: ManifestFile): readonly Problem[] {
  const ofFile = file.problems.map(it => ({ it, document: undefined }));
  const ofDocuments = file.documents.flatMap(doc =>
    doc.problems
      .filter(it => it.code !== KEY_TYPE || doc.objects.some(isOfKubernetes))
      .map(it => ({ it, document: doc.index })),
  );
  return [...ofFile, ...ofDocuments].map(({ it, document }) => ({
    code: it.code,
    category: 'syntax',
    severity: it.severity,
    message: it.message,
    uri: file.uri,
    ...(document !== undefined && { document }),
    span: it.span,
    related: [],
    fixes: it.code === KEY_TYPE ? [quotedKey(file, it.span)] : [],
    ...(it.more !== undefined && { more: it.more }),
  }));
}

function quotedKey({ uri, text }: ManifestFile, span: Span): Fix {
  const newText = JSON.stringify(text.slice(span.start, span.end));
  return { title: t('Put it in quotes'), safety: 'safe', edits: [{ uri, span, newText }] };
}

/** Keys that are written twice, each with the path of the key whose value is lost. */
export function duplicateKeyProblems(file: ManifestFile, objects: readonly WorkspaceObject[]): readonly Problem[] {
  return file.documents.flatMap(doc => {
    if (doc.duplicateKeys.length === 0) return [];
    const owners = objects.filter(it => it.manifest.document === doc.index);
    const listed = doc.duplicateKeys.slice(0, MOST_OF_ONE_OBJECT).map(it => duplicateKey(file, doc, it, owners));
    const more = doc.duplicateKeys.length - listed.length;
    return more === 0 ? listed : listed.map((it, i) => (i === listed.length - 1 ? { ...it, more } : it));
  });
}

/** Documents that are no mappings, in a file that has objects with a kind. */
export function documentProblems(file: ManifestFile): readonly Problem[] {
  const odd = file.documents.filter(({ value }) => value !== undefined && value !== null && !isObject(value));
  if (odd.length === 0 || !file.documents.some(it => it.objects.some(isOfKubernetes))) return [];
  return odd
    .filter(it => it.problems.every(problem => problem.severity !== 'error'))
    .map(({ index, value, span }) => ({
      code: NOT_AN_OBJECT.code,
      category: 'decode',
      severity: NOT_AN_OBJECT.severity,
      errorType: 'TypeMismatch',
      ...messageFields(
        layered(
          t`this document is ${TYPES[typeOf(value)]?.() ?? t('no mapping')} and no object`,
          `couldn't get version/kind; json parse error: json: cannot unmarshal ${typeOf(value)} into Go value`,
        ),
      ),
      uri: file.uri,
      document: index,
      span: writtenSpan(file, span),
      related: [],
      fixes: [],
    }));
}

const TYPES: Readonly<Record<string, () => string>> = {
  array: () => t('a list'),
  bool: () => t('true or false'),
  number: () => t('a number'),
  string: () => t('text'),
};

/** The name of a JSON type as Go's decoder prints it. */
function typeOf(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'number';
}

function isOfKubernetes({ value }: ManifestObject): boolean {
  return typeof value.apiVersion === 'string' && typeof value.kind === 'string';
}

/** The first line of a document that is neither empty nor a comment. */
function writtenSpan({ text }: ManifestFile, { start, end }: Span): Span {
  const [lead = ''] = /^(?:[ \t]*(?:#.*|---[ \t]*)?\r?\n)*[ \t]*/.exec(text.slice(start, end)) ?? [];
  const from = start + lead.length;
  const [line = ''] = /^[^\r\n]*/.exec(text.slice(from, end)) ?? [];
  return { start: from, end: from + line.trimEnd().length };
}

function duplicateKey(
  file: ManifestFile,
  doc: ManifestDocument,
  { path, key, span, first }: DuplicateKey,
  owners: readonly WorkspaceObject[],
): Problem {
  const owner = ownerOf(path.segments, owners);
  const segments = owner?.manifest.item === undefined ? path.segments : path.segments.slice(2);
  return {
    code: DUPLICATE_FIELD.code,
    category: 'decode',
    severity: DUPLICATE_FIELD.severity,
    errorType: 'DuplicateField',
    fieldPath: decoderPath(segments),
    message: t`key ${JSON.stringify(key)} is written twice; the last value wins where decoding is not strict`,
    uri: file.uri,
    document: doc.index,
    ...(owner?.manifest.item !== undefined && { item: owner.manifest.item }),
    ...(owner !== undefined && { object: identityOf(owner) }),
    span,
    related: [{ uri: file.uri, span: first, message: t('first written here') }],
    fixes: [],
  };
}

function ownerOf([head, item]: readonly Segment[], owners: readonly WorkspaceObject[]): WorkspaceObject | undefined {
  return owners.find(({ manifest }) => manifest.item === undefined || (head === 'items' && manifest.item === item));
}

/** A path as the strict decoder prints it: map keys are joined with dots, too. */
function decoderPath(segments: readonly Segment[]): string {
  return segments.reduce<string>((acc, it) => {
    if (typeof it === 'number') return `${acc}[${it}]`;
    const name = typeof it === 'string' ? it : it.key;
    return acc === '' ? name : `${acc}.${name}`;
  }, '');
}
