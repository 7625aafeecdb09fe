import { t, withAnd } from '../../base/l10n';
import { errorsIn } from '../../manifest/errors';
import { FieldPath } from '../../manifest/fieldPath';
import { isParsed } from '../../manifest/file';
import type { ManifestFile } from '../../manifest/manifest';
import { readDocument } from '../../manifest/reader/read';
import type { DeclaredConstant, DeclaredProperty, SystemDocument } from './document';
import {
  fieldsOf,
  followed,
  itemsOf,
  knownFields,
  type SystemField,
  type SystemProblem,
  tell,
  tellAtKey,
  textOf,
} from './field';
import { readProcesses } from './readProcess';
import { isNamed, readExpression, readVariables } from './readValues';

const SYSTEM_API_VERSION = 'berth.dev/v1alpha1';
export const SYSTEM_KIND = 'System';

/** Whether a file holds a document of kind System. */
export function holdsSystem({ documents }: ManifestFile): boolean {
  return documents.some(it => it.objects.some(({ value }) => value.kind === SYSTEM_KIND));
}

export interface ReadSystem {
  readonly document: SystemDocument;
  readonly problems: readonly SystemProblem[];
}

/** Reads a system. Never throws: what cannot be read is told with its place and left out. */
export function readSystem(file: ManifestFile): ReadSystem {
  const { documents, text } = file;
  const [wrong] = errorsIn(file);
  if (wrong !== undefined) {
    return nothing([{ message: wrong.message.replace(/[.。]$/, ''), path: FieldPath.root, span: wrong.span }]);
  }
  const [document, second] = documents.filter(it => it.value !== undefined && it.value !== null);
  if (document === undefined) {
    return nothing([{ message: t('there is no document in it'), path: FieldPath.root, span: { start: 0, end: 0 } }]);
  }
  if (second !== undefined) {
    return nothing([
      { message: t('a file holds one system and no other document'), path: FieldPath.root, span: second.span },
    ]);
  }
  const own = isParsed(document) ? document.content.text : text.slice(document.span.start, document.span.end);
  const { root } = readDocument(own);
  const problems: SystemProblem[] = [];
  if (root === undefined) return nothing([]);
  const source = { text: own, offset: document.span.start, problems };
  return { document: readRoot({ source, path: FieldPath.root, node: followed(root), key: undefined }), problems };
}

const NO_SYSTEM: SystemDocument = { name: '', constants: [], variables: [], processes: [], properties: [] };

const nothing = (problems: readonly SystemProblem[]): ReadSystem => ({ document: NO_SYSTEM, problems });

function readRoot(field: SystemField): SystemDocument {
  const root = knownFields(field, ['apiVersion', 'kind', 'metadata', 'spec'], ['apiVersion', 'kind', 'spec']);
  const version = root?.get('apiVersion');
  if (version !== undefined && textOf(version) !== SYSTEM_API_VERSION) tell(version, t`must be ${SYSTEM_API_VERSION}`);
  const kind = root?.get('kind');
  if (kind !== undefined && textOf(kind) !== SYSTEM_KIND) tell(kind, t`must be ${SYSTEM_KIND}`);
  const metadata = root?.get('metadata');
  const meta = metadata && knownFields(metadata, ['name', 'labels', 'annotations']);
  const named = meta?.get('name');
  const spec = root?.get('spec');
  return { ...(spec === undefined ? NO_SYSTEM : readSpec(spec)), name: (named && textOf(named)) ?? '' };
}

function readSpec(field: SystemField): SystemDocument {
  const spec = knownFields(field, ['constants', 'variables', 'processes', 'properties'], ['processes']);
  const constants = spec?.get('constants');
  const variables = spec?.get('variables');
  const processes = spec?.get('processes');
  const properties = spec?.get('properties');
  const declared = {
    constants: constants === undefined ? [] : readConstants(constants),
    variables: variables === undefined ? [] : readVariables(variables),
  };
  const taken = new Set(declared.constants.map(it => it.name));
  for (const it of declared.variables) {
    if (taken.has(it.name)) tellAtKey(it.field, t`"${it.name}" is the name of a constant too`);
    taken.add(it.name);
  }
  return {
    name: '',
    ...declared,
    processes: processes === undefined ? [] : readProcesses(processes, taken),
    properties: properties === undefined ? [] : readProperties(properties),
  };
}

function readConstants(field: SystemField): readonly DeclaredConstant[] {
  return [...(fieldsOf(field) ?? [])].flatMap(([name, own]) => {
    const value = isNamed(name, own) ? readExpression(own) : undefined;
    return value === undefined ? [] : [{ name, field: own, value }];
  });
}

const PROPERTY_KINDS = ['never', 'atEnd', 'canAlwaysReach', 'progress'] as const;

function readProperties(field: SystemField): readonly DeclaredProperty[] {
  const names = new Set<string>();
  return itemsOf(field).flatMap(own => {
    const fields = knownFields(own, ['name', ...PROPERTY_KINDS, 'fairness'], ['name']);
    if (fields === undefined) return [];
    const nameField = fields.get('name');
    const name = nameField && textOf(nameField);
    if (nameField !== undefined && name !== undefined) {
      if (names.has(name)) tell(nameField, t`"${name}" is the name of another property too`);
      names.add(name);
    }
    const kinds = PROPERTY_KINDS.filter(it => fields.has(it));
    const [kind] = kinds;
    if (kind === undefined || kinds.length > 1) {
      const all = PROPERTY_KINDS.join(', ');
      const sentence =
        kinds.length === 0
          ? t`a property is one of ${all}; this one has none`
          : t`a property is one of ${all}; this one has ${withAnd(kinds)}`;
      tell(own, sentence, nameField?.node);
      return [];
    }
    const fairness = fields.get('fairness');
    return name === undefined ? [] : readProperty(name, own, kind, fields.get(kind)!, fairness);
  });
}

function readProperty(
  name: string,
  field: SystemField,
  kind: (typeof PROPERTY_KINDS)[number],
  content: SystemField,
  fairness: SystemField | undefined,
): readonly DeclaredProperty[] {
  if (fairness !== undefined && kind !== 'progress')
    tellAtKey(fairness, t`${kind} asks for no fairness: progress alone does`);
  else if (fairness !== undefined && textOf(fairness) !== 'weak') tell(fairness, t('must be weak'));
  if (kind === 'progress') {
    const steps = itemsOf(content).flatMap(it => textOf(it) ?? []);
    return [{ name, field, kind, steps, ...(fairness && { fairness: 'weak' as const }) }];
  }
  const test = readExpression(content);
  return test === undefined ? [] : [{ name, field, kind, test }];
}
