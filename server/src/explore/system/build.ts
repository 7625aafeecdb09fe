import { t } from '../../base/l10n';
import { largest, smallest } from '../../base/manyItems';
import type { ModelProcess, ModelProperty, ProcessModel, StateSlot } from '../core/model';
import { type BuiltStep, buildSteps } from './buildSteps';
import { conjunctsOf } from './conjuncts';
import { evaluateConstants } from './constants';
import type { DeclaredProcess, DeclaredProperty, SystemDocument } from './document';
import { compileAs, type ExpressionScope, type NameMeaning, type ProcessMeaning } from './expression/compile';
import { tell, tellAtKey } from './field';
import { type InitialVariable, initialVariable } from './initial';
import { attempted, constantValue } from './located';
import { meaningOf, type PlacedCopies, type PlacedProcess, type PlacedVariable, withIndex } from './placed';

/** A system ready to be explored, and what its slots and steps are called. */
export interface BuiltSystem {
  readonly document: SystemDocument;
  readonly model: ProcessModel;
  readonly properties: readonly ModelProperty[];
  /** The names in properties. */
  readonly scope: ExpressionScope;
  readonly variables: readonly PlacedVariable[];
  /** In the order of the model's processes. */
  readonly processes: readonly PlacedProcess[];
  /** By label: the name of the steps. */
  readonly labels: readonly string[];
  /** By the source of a step. */
  readonly steps: readonly BuiltStep[];
}

/** No system with more is explored. */
const MOST_SLOTS = 20_000;
const MOST_STEPS = 50_000;

/** Checks names and types, and makes a model. What is wrong goes to the problems of the fields; then there is no model. */
export function buildSystem(document: SystemDocument): BuiltSystem | undefined {
  const constants = evaluateConstants(document.constants);
  if (constants === undefined) return undefined;
  const globals = document.variables.map(it => initialVariable(it, constants));
  const counted = document.processes.map(it => ({ declared: it, copies: copiesOf(it, constants) }));
  if (globals.includes(undefined) || counted.some(it => it.copies === undefined)) return undefined;
  const processes = counted.map(({ declared, copies }) => copiesWithLocals(declared, copies!, constants));
  if (processes.includes(undefined)) return undefined;
  return assemble(document, constants, globals as readonly InitialVariable[], processes as readonly CopiedProcess[]);
}

type Constants = ReadonlyMap<string, NameMeaning>;

interface CopiedProcess {
  readonly declared: DeclaredProcess;
  /** By copy: its variables. */
  readonly locals: readonly (readonly InitialVariable[])[];
}

function copiesOf({ copies }: DeclaredProcess, names: Constants): number | undefined {
  if (copies === undefined) return 1;
  const count = constantValue(copies, 'int', { names, processes: undefined });
  if (count === undefined) return undefined;
  if (count >= 1 && count <= MOST_SLOTS) return count;
  tell(
    copies.field,
    count < 1 ? t`there must be a copy at least, and this is ${count}` : t`${count} copies are too many`,
  );
  return undefined;
}

function copiesWithLocals(declared: DeclaredProcess, copies: number, constants: Constants): CopiedProcess | undefined {
  const locals: (readonly InitialVariable[])[] = [];
  for (let i = 0; i < copies; i++) {
    const names = withIndex(constants, i);
    const own = declared.variables.map(it => initialVariable(it, names));
    if (own.includes(undefined)) return undefined;
    locals.push(own as readonly InitialVariable[]);
    if (i * own.reduce((sum, it) => sum + it!.values.length, 1) > MOST_SLOTS) {
      tellAtKey(declared.field, tooLarge());
      return undefined;
    }
  }
  return { declared, locals };
}

const tooLarge = (): string =>
  t`the system has more than ${MOST_SLOTS} variables and elements, or more than ${MOST_STEPS} steps in all copies`;

/** The slots that are given away so far. */
interface SlotPlan {
  readonly slots: StateSlot[];
  readonly initial: number[];
  groups: number;
}

function placeVariable(plan: SlotPlan, { name, type, size, values }: InitialVariable, group: number): PlacedVariable {
  const first = plan.slots.length;
  for (const value of values) {
    plan.slots.push(type === 'bool' ? { min: 0, max: 1, group } : { min: value, max: value, group });
    plan.initial.push(value);
  }
  return { name, type, first, size };
}

function assemble(
  document: SystemDocument,
  constants: Constants,
  globals: readonly InitialVariable[],
  copied: readonly CopiedProcess[],
): BuiltSystem | undefined {
  const plan: SlotPlan = { slots: [], initial: [], groups: 0 };
  const variables = globals.map(it => placeVariable(plan, it, plan.groups++));
  const placed = copied.map(it => placeProcess(plan, it));
  const stepCount = copied.reduce((sum, { declared, locals }) => sum + declared.steps.length * locals.length, 0);
  if (plan.slots.length > MOST_SLOTS || stepCount > MOST_STEPS) {
    const [first] = document.processes;
    if (first !== undefined) tellAtKey(first.field, tooLarge());
    return undefined;
  }
  const shared: ExpressionScope = {
    names: new Map([...constants, ...variables.map(it => [it.name, meaningOf(it)] as const)]),
    processes: new Map(placed.map(({ declared, copies }) => [declared.name, meaningOfProcess(declared, copies)])),
  };
  const labels = [...new Set(document.processes.flatMap(it => it.steps.map(step => step.name)))];
  const built = buildSteps(placed, shared, labels);
  const labelOf = new Map(labels.map((it, i) => [it, i]));
  const properties = document.properties.map(it => propertyOf(it, shared, labelOf));
  if (built === undefined || properties.includes(undefined)) return undefined;
  const processes = placed.flatMap(it => it.copies);
  return {
    document,
    model: {
      slots: withWritten(plan.slots, built.written),
      initial: Int32Array.from(plan.initial),
      processes: processes.map(
        (it, i): ModelProcess => ({ slot: it.slot, halting: built.halting[i]!, steps: built.steps[i]! }),
      ),
      labelCount: labels.length,
    },
    properties: properties as readonly ModelProperty[],
    scope: shared,
    variables,
    processes,
    labels,
    steps: built.sources,
  };
}

/** The locations of all copies come first, so that `at(process[k], …)` finds them by their index. */
function placeProcess(plan: SlotPlan, { declared, locals }: CopiedProcess): PlacedCopies {
  const { name, locations } = declared;
  const firstSlot = plan.slots.length;
  const group = plan.groups++;
  for (const _ of locals) {
    plan.slots.push({ min: 0, max: locations.length - 1, group });
    plan.initial.push(0);
  }
  const groups = declared.variables.map(() => plan.groups++);
  const copies = locals.map((own, i) => ({
    name: locals.length === 1 ? name : `${name}[${i}]`,
    slot: firstSlot + i,
    locations,
    variables: own.map((it, at) => placeVariable(plan, it, groups[at]!)),
  }));
  return { declared, copies };
}

function meaningOfProcess({ locations }: DeclaredProcess, copies: readonly PlacedProcess[]): ProcessMeaning {
  return { copies: copies.length, firstSlot: copies[0]!.slot, locations };
}

/** The slots with room for the constants that steps write to them. */
function withWritten(
  slots: readonly StateSlot[],
  written: ReadonlyMap<number, readonly number[]>,
): readonly StateSlot[] {
  return slots.map((it, i) => {
    const values = written.get(i) ?? [];
    return { ...it, min: Math.min(it.min, smallest(values)), max: Math.max(it.max, largest(values)) };
  });
}

function propertyOf(
  property: DeclaredProperty,
  scope: ExpressionScope,
  labelOf: ReadonlyMap<string, number>,
): ModelProperty | undefined {
  if (property.kind === 'progress') {
    const { steps, fairness } = property;
    return {
      kind: 'progress',
      labels: new Set(steps.flatMap(it => labelOf.get(it) ?? [])),
      ...(fairness && { fairness }),
    };
  }
  const { kind, test } = property;
  return attempted(test, expression => ({
    kind,
    test: compileAs('bool', expression, scope).evaluate,
    conjuncts: conjunctsOf(expression, scope),
  }));
}
