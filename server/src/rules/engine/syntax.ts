import type { Segment } from '../../manifest/fieldPath';
import type { DuplicateKey, ManifestDocument, ManifestFile } from '../../manifest/manifest';
import type { WorkspaceObject } from '../../workspace/object';
import { identityOf } from '../framework/identity';
import type { Problem } from '../framework/problem';
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

/** Problems of the text itself, as the parser found them. */
export function syntaxProblems(file: ManifestFile): readonly Problem[] {
  const ofFile = file.problems.map(it => ({ it, document: undefined }));
  const ofDocuments = file.documents.flatMap(doc => doc.problems.map(it => ({ it, document: doc.index })));
  return [...ofFile, ...ofDocuments].map(({ it, document }) => ({
    code: it.code,
    category: 'syntax',
    severity: it.severity,
    message: it.message,
    uri: file.uri,
    ...(document !== undefined && { document }),
    span: it.span,
    related: [],
    fixes: [],
    ...(it.more !== undefined && { more: it.more }),
  }));
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
    message: `key ${JSON.stringify(key)} is written twice; the last value wins where decoding is not strict`,
    uri: file.uri,
    document: doc.index,
    ...(owner?.manifest.item !== undefined && { item: owner.manifest.item }),
    ...(owner !== undefined && { object: identityOf(owner) }),
    span,
    related: [{ uri: file.uri, span: first, message: 'first written here' }],
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
