import { t } from '../../base/l10n';
import type { ModelStep, SlotRange, SlotWrite, WrittenRange } from '../core/model';
import { conjunctsOf } from './conjuncts';
import type { DeclaredProcess, DeclaredStep, DeclaredWrite } from './document';
import { type Expression, ExpressionError } from './expression/ast';
import {
  type Compiled,
  compile,
  compileAs,
  compileElement,
  type ExpressionScope,
  typeInWords,
} from './expression/compile';
import { spanWithin, tell } from './field';
import { attempted } from './located';
import { meaningOf, type PlacedCopies, type PlacedProcess, withIndex, withNames } from './placed';

/** A step of the source, of all copies. */
export interface BuiltStep {
  readonly declared: DeclaredProcess;
  readonly step: DeclaredStep;
}

interface BuiltSteps {
  /** By process of the model, then by location. */
  readonly steps: readonly (readonly (readonly ModelStep[])[])[];
  readonly halting: readonly (readonly boolean[])[];
  readonly sources: readonly BuiltStep[];
  /** By slot: constants that are written to it. */
  readonly written: ReadonlyMap<number, readonly number[]>;
}

/** With more problems than these nobody looks for the others. */
const MOST_PROBLEMS = 100;

/** The steps of all copies; undefined, and problems, where one is wrong. */
export function buildSteps(
  placed: readonly PlacedCopies[],
  shared: ExpressionScope,
  labels: readonly string[],
): BuiltSteps | undefined {
  const steps: (readonly (readonly ModelStep[])[])[] = [];
  const halting: (readonly boolean[])[] = [];
  const sources: BuiltStep[] = [];
  const written = new Map<number, number[]>();
  const labelOf = new Map(labels.map((it, i) => [it, i]));
  let isWhole = true;
  let count = 0;
  for (const { declared, copies } of placed) {
    if (declared.field.source.problems.length > MOST_PROBLEMS) return undefined;
    const firstSource = sources.length;
    for (const step of declared.steps) sources.push({ declared, step });
    const locationOf = new Map(declared.locations.map((it, at) => [it, at]));
    for (const [i, copy] of copies.entries()) {
      const scope = scopeOf(copy, i, shared);
      const firstId = count;
      count += declared.steps.length;
      const own = declared.steps.map((step, at) =>
        buildStep(step, scope, {
          id: firstId + at,
          process: steps.length,
          label: labelOf.get(step.name)!,
          source: firstSource + at,
          from: locationOf.get(step.from)!,
          to: locationOf.get(step.to)!,
        }),
      );
      // The other copies would only repeat the problems.
      if (own.includes(undefined)) {
        isWhole = false;
        break;
      }
      for (const it of own) for (const range of it!.footprint.writes) noteWritten(range, written);
      steps.push(byLocation(own as readonly ModelStep[], declared.locations.length));
      halting.push(declared.locations.map(it => declared.halt.has(it)));
    }
  }
  return isWhole ? { steps, halting, sources, written } : undefined;
}

function byLocation(steps: readonly ModelStep[], locationCount: number): readonly (readonly ModelStep[])[] {
  const from: ModelStep[][] = Array.from({ length: locationCount }, () => []);
  for (const it of steps) from[it.from]!.push(it);
  return from;
}

function noteWritten({ first, count, value }: WrittenRange, written: Map<number, number[]>): void {
  if (value === undefined || count > 64) return;
  for (let slot = first; slot < first + count; slot++) {
    const known = written.get(slot) ?? [];
    if (!known.includes(value)) written.set(slot, [...known, value]);
  }
}

/** The names in the steps of the copy with an index. */
export function scopeOf(
  { variables }: PlacedProcess,
  i: number,
  { names, processes }: ExpressionScope,
): ExpressionScope {
  const own = new Map(variables.map(it => [it.name, meaningOf(it)]));
  return { names: withNames(withIndex(names, i), own), processes };
}

function buildStep(
  { when, set }: DeclaredStep,
  scope: ExpressionScope,
  identity: Pick<ModelStep, 'id' | 'process' | 'label' | 'source' | 'from' | 'to'>,
): ModelStep | undefined {
  const guard = when && attempted(when, it => compileAs('bool', it, scope));
  const guards = guard === undefined || guard.constant === 1 ? [] : conjunctsOf(when!.expression, scope);
  const writes = set.map(it => buildWrite(it, scope));
  if ((when && guard === undefined) || writes.includes(undefined)) return undefined;
  const built = writes as readonly BuiltWrite[];
  const fixed = built.map(it => it.write.target);
  return {
    ...identity,
    ...(guard !== undefined && guard.constant !== 1 && { guard: guard.evaluate }),
    writes: built.map(it => it.write),
    mayClash: built.length > 1 && (new Set(fixed).size < fixed.length || fixed.some(it => typeof it !== 'number')),
    footprint: { guards, reads: built.flatMap(it => it.reads), writes: built.map(it => it.range) },
  };
}

interface BuiltWrite {
  readonly write: SlotWrite;
  readonly reads: readonly SlotRange[];
  readonly range: WrittenRange;
}

function buildWrite({ target, value }: DeclaredWrite, scope: ExpressionScope): BuiltWrite | undefined {
  const place = attempted(target, it => placeOf(it, scope));
  if (place === undefined) return undefined;
  const compiled = attempted(value, it => compile(it, scope));
  if (compiled === undefined) return undefined;
  if (compiled.type !== place.type) {
    const sentence = t`this is ${typeInWords(compiled.type)}, and what is set is ${typeInWords(place.type)}`;
    tell(value.field, sentence, spanWithin(value.field, value.expression));
    return undefined;
  }
  return {
    write: {
      target: place.place,
      value: compiled.evaluate,
      ...(compiled.constant !== undefined && { constant: compiled.constant }),
    },
    reads: [...place.reads, ...compiled.reads],
    range: { ...place.range, value: compiled.constant },
  };
}

interface Place extends Pick<Compiled, 'type' | 'reads'> {
  readonly place: SlotWrite['target'];
  readonly range: SlotRange;
}

function placeOf(expression: Expression, scope: ExpressionScope): Place {
  if (expression.kind === 'element') {
    const { type, place, reads, range } = compileElement(expression, scope);
    return { type, place, range, reads: typeof place === 'number' ? [] : reads };
  }
  const { type, slot } = compile(expression, scope);
  if (slot === undefined || expression.kind !== 'name') {
    throw new ExpressionError(t('a constant cannot be set'), expression);
  }
  return { type, place: slot, range: { first: slot, count: 1 }, reads: [] };
}
