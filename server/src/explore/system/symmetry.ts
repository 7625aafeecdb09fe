import { lazy } from '../../base/lazy';
import { largest, smallest } from '../../base/manyItems';
import { push } from '../../base/multiMap';
import type { ProcessModel } from '../core/model';
import type { EqualProcesses, ModelSymmetry } from '../core/symmetry';
import type { BuiltSystem } from './build';
import { scopeOf } from './buildSteps';
import type { DeclaredStep, LocatedExpression } from './document';
import { compile, type ExpressionScope } from './expression/compile';
import { type Form, formOf, slotsOfForm, textOfForm } from './form';

/** A step of one copy as forms. */
interface FormedStep {
  readonly process: number;
  readonly text: (placeOf: (slot: number) => number) => string;
  /** With every slot in its own place. */
  readonly plain: () => string;
}

interface FormedSystem {
  /** By process of the model. */
  readonly steps: readonly (readonly FormedStep[])[];
  readonly properties: readonly Form[];
  /** By slot: the steps that read or write it. */
  readonly users: ReadonlyMap<number, readonly FormedStep[]>;
  /** Slots of computed elements: they keep their places. */
  readonly fixed: ReadonlySet<number>;
}

/** A process is compared with so many lists of equal ones. */
const MOST_LISTS = 8;

/**
 * The processes of a system that nothing tells apart: whichever two of a list change places, with their variables and their
 * elements of arrays that have one for each copy, all steps, properties and initial values stay what they are. Where a
 * property asks for fairness to each process, no two of them are equal.
 */
export function symmetryOf(system: BuiltSystem): ModelSymmetry {
  if (system.properties.some(it => it.kind === 'progress' && it.fairness !== undefined)) return [];
  const alike = alikeProcesses(system);
  if (alike.length === 0) return [];
  const formed = formedSystem(system);
  return alike.flatMap(processes => {
    const own = processes.map(it => ownSlots(system, it));
    const elements = elementsOfEach(system, formed, processes);
    const found = equalAmong(
      processes,
      own.map((it, i) => [...it, ...elements[i]!]),
      system.model,
      formed,
    );
    return found.length > 0 ? found : equalAmong(processes, own, system.model, formed);
  });
}

/** The model with the same room for the values of equal processes. */
export function withEqualSlots(model: ProcessModel, symmetry: ModelSymmetry): ProcessModel {
  const slots = [...model.slots];
  for (const { blocks } of symmetry) {
    for (const position of blocks[0]!.keys()) {
      const all = blocks.map(it => it[position]!);
      const min = smallest(all.map(it => slots[it]!.min));
      const max = largest(all.map(it => slots[it]!.max));
      const { group } = slots[all[0]!]!;
      for (const it of all) slots[it] = { min, max, group };
    }
  }
  return { ...model, slots };
}

/** Copies of one process, and processes that are declared with the same locations, variables and names of steps. */
function alikeProcesses({ document, processes, model }: BuiltSystem): readonly (readonly number[])[] {
  const alike = new Map<string, number[]>();
  let process = 0;
  for (const [declaration, { name, locations, halt, steps }] of document.processes.entries()) {
    const count = copiesFrom(processes, process, name);
    const { variables } = processes[process]!;
    const shape = JSON.stringify([
      count === 1 ? '' : declaration,
      locations,
      [...halt].sort(),
      steps.map(it => [it.name, it.from, it.to, it.when !== undefined, it.set.length]),
      variables.map(it => [it.type, it.size]),
    ]);
    for (let i = 0; i < count; i++) push(alike, shape, process++);
  }
  if (process !== model.processes.length) throw new Error('A system has processes that nothing declares.');
  return [...alike.values()].filter(it => it.length > 1);
}

/** How many processes from one on are copies of a declaration. */
function copiesFrom(processes: BuiltSystem['processes'], first: number, name: string): number {
  if (processes[first]!.name === name) return 1;
  let count = 0;
  while (processes[first + count]?.name === `${name}[${count}]`) count++;
  return count;
}

function ownSlots({ processes }: BuiltSystem, process: number): readonly number[] {
  const { slot, variables } = processes[process]!;
  return [slot, ...variables.flatMap(({ first, size = 1 }) => Array.from({ length: size }, (_, i) => first + i))];
}

/** By process: the elements of global arrays of which each process uses that of its own index. */
function elementsOfEach(
  { variables }: BuiltSystem,
  { users }: FormedSystem,
  processes: readonly number[],
): readonly (readonly number[])[] {
  const uses = (process: number, slot: number): boolean => users.get(slot)?.some(it => it.process === process) === true;
  const arrays = variables.filter(
    ({ first, size }) => size === processes.length && processes.every((it, i) => uses(it, first + i)),
  );
  return processes.map((_, i) => arrays.map(it => it.first + i));
}

function formedSystem(system: BuiltSystem): FormedSystem {
  const { document, processes, scope } = system;
  const users = new Map<number, FormedStep[]>();
  const fixed = new Set<number>();
  const steps: (readonly FormedStep[])[] = [];
  for (const { name, steps: declared } of document.processes) {
    const first = steps.length;
    const count = copiesFrom(processes, first, name);
    for (let i = 0; i < count; i++) {
      const own = scopeOf(processes[first + i]!, i, scope);
      steps.push(declared.map(it => formedStep(it, first + i, own, users, fixed)));
    }
  }
  const properties = document.properties.flatMap(it => ('test' in it ? [conditionOf(it.test, scope)] : []));
  for (const it of properties) noteRanges(it, fixed);
  return { steps, properties, users, fixed };
}

function formedStep(
  { when, set }: DeclaredStep,
  process: number,
  scope: ExpressionScope,
  users: Map<number, FormedStep[]>,
  fixed: Set<number>,
): FormedStep {
  const guard = when && conditionOf(when, scope);
  const writes = set.map(it => [formOf(it.target.expression, scope), formOf(it.value.expression, scope)] as const);
  const text: FormedStep['text'] = placeOf => {
    const written = writes.map(it => it.map(form => textOfForm(form, placeOf)).join(':='));
    return [guard === undefined ? '' : textOfForm(guard, placeOf), ...written.sort()].join('; ');
  };
  const step: FormedStep = { process, text, plain: lazy(() => text(it => it)) };
  const forms = [...(guard ? [guard] : []), ...writes.flat()];
  for (const slot of new Set(forms.flatMap(it => slotsOfForm(it).slots))) push(users, slot, step);
  for (const it of forms) noteRanges(it, fixed);
  return step;
}

/** A condition; true or false where that is known. */
function conditionOf({ expression }: LocatedExpression, scope: ExpressionScope): Form {
  const { constant } = compile(expression, scope);
  return constant === undefined ? formOf(expression, scope) : { kind: 'value', value: constant };
}

function noteRanges(form: Form, fixed: Set<number>): void {
  for (const { first, count } of slotsOfForm(form).ranges) {
    for (let slot = first; slot < first + count; slot++) fixed.add(slot);
  }
}

/** Lists of two or more processes of which each may change places with the first. @param slots by process */
function equalAmong(
  processes: readonly number[],
  slots: readonly (readonly number[])[],
  model: ProcessModel,
  formed: FormedSystem,
): readonly EqualProcesses[] {
  const lists: number[][] = [];
  for (const i of processes.keys()) {
    const list = lists
      .slice(0, MOST_LISTS)
      .find(([first]) =>
        mayChangePlaces([processes[first!]!, processes[i]!], [slots[first!]!, slots[i]!], model, formed),
      );
    if (list === undefined) lists.push([i]);
    else list.push(i);
  }
  return lists
    .filter(it => it.length > 1)
    .map(list => ({ processes: list.map(it => processes[it]!), blocks: list.map(it => slots[it]!) }));
}

function mayChangePlaces(
  [a, b]: readonly [number, number],
  [ofA, ofB]: readonly [readonly number[], readonly number[]],
  { initial }: ProcessModel,
  { steps, properties, users, fixed }: FormedSystem,
): boolean {
  const places = new Map(ofA.flatMap((slot, i) => [[slot, ofB[i]!] as const, [ofB[i]!, slot] as const]));
  const placeOf = (slot: number): number => places.get(slot) ?? slot;
  for (const [slot, other] of places) if (fixed.has(slot) || initial[slot] !== initial[other]) return false;
  if (steps[a]!.some((it, i) => it.text(placeOf) !== steps[b]![i]!.plain())) return false;
  for (const slot of places.keys()) {
    for (const it of users.get(slot) ?? []) {
      if (it.process !== a && it.process !== b && it.text(placeOf) !== it.plain()) return false;
    }
  }
  return properties.every(it => textOfForm(it, placeOf) === textOfForm(it, slot => slot));
}
