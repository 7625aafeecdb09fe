import { t } from '../../base/l10n';
import type { DeclaredProcess, DeclaredStep, DeclaredVariable, DeclaredWrite } from './document';
import { fieldsOf, itemsOf, knownFields, nameIn, type SystemField, tell, tellAtKey, textOf } from './field';
import { nameFieldOf } from './names';
import { readExpression, readTarget, readVariables } from './readValues';

/** Reads the processes, at least one. @param taken the names of constants and global variables */
export function readProcesses(field: SystemField, taken: ReadonlySet<string>): readonly DeclaredProcess[] {
  const names = new Set<string>();
  const items = itemsOf(field);
  if (field.node.kind === 'seq' && items.length === 0) tell(field, t('there must be a process at least'));
  return items.flatMap(own => {
    const declared = readProcess(own, taken);
    if (declared === undefined) return [];
    if (names.has(declared.name)) {
      tell(nameFieldOf(own), t`"${declared.name}" is the name of another process too`);
    }
    names.add(declared.name);
    return [declared];
  });
}

const PROCESS_FIELDS = ['name', 'copies', 'variables', 'start', 'halt', 'steps'] as const;

function readProcess(field: SystemField, taken: ReadonlySet<string>): DeclaredProcess | undefined {
  const fields = knownFields(field, PROCESS_FIELDS, ['name', 'start', 'steps']);
  const part = <T>(name: (typeof PROCESS_FIELDS)[number], read: (it: SystemField) => T): T | undefined => {
    const own = fields?.get(name);
    return own && read(own);
  };
  const name = part('name', nameIn);
  const start = part('start', nameIn);
  const copies = part('copies', readExpression);
  const variables = part('variables', readVariables) ?? [];
  tellTaken(variables, taken);
  const steps = part('steps', readSteps) ?? [];
  const locations = [...new Set([...(start === undefined ? [] : [start]), ...steps.flatMap(it => [it.from, it.to])])];
  const halt = part('halt', it => readHalt(it, new Set(locations)));
  if (name === undefined || start === undefined) return undefined;
  return { name, field, copies, variables, locations, halt: halt ?? new Set(), steps };
}

function tellTaken(variables: readonly DeclaredVariable[], taken: ReadonlySet<string>): void {
  for (const { name, field } of variables) {
    if (taken.has(name)) tellAtKey(field, t`"${name}" is the name of a constant or a variable of the system too`);
  }
}

function readHalt(field: SystemField, locations: ReadonlySet<string>): ReadonlySet<string> {
  const halt = new Set<string>();
  for (const it of itemsOf(field)) {
    const name = nameIn(it);
    if (name === undefined) continue;
    if (!locations.has(name)) tell(it, t`the process has no location "${name}"`);
    halt.add(name);
  }
  return halt;
}

function readSteps(field: SystemField): readonly DeclaredStep[] {
  return itemsOf(field).flatMap(own => {
    const fields = knownFields(own, ['name', 'from', 'to', 'when', 'set'], ['name', 'from']);
    const nameField = fields?.get('name');
    const fromField = fields?.get('from');
    const toField = fields?.get('to');
    const whenField = fields?.get('when');
    const setField = fields?.get('set');
    const name = nameField && textOf(nameField);
    const from = fromField && nameIn(fromField);
    const to = toField === undefined ? from : nameIn(toField);
    const when = whenField && readExpression(whenField);
    const set = setField === undefined ? [] : readSet(setField);
    return name === undefined || from === undefined || to === undefined
      ? []
      : [{ name, field: own, from, to, when, set }];
  });
}

function readSet(field: SystemField): readonly DeclaredWrite[] {
  return [...(fieldsOf(field, 'keys') ?? []).values()].flatMap(own => {
    const target = readTarget(own);
    const value = readExpression(own);
    return target && value ? [{ target, value }] : [];
  });
}
