import type { Span } from '../../text/span';
import type { DeclaredProcess, DeclaredVariable, LocatedExpression, SystemDocument, VariableContent } from './document';
import type { Expression, NamedPart } from './expression/ast';
import { type SystemField, spanWithin } from './field';
import { childOf, nameFieldOf } from './names';

/** A name in the text of a system, and where what it names is declared. Offsets of the file. */
export interface NameUse {
  readonly name: string;
  readonly kind: 'constant' | 'variable' | 'process' | 'location' | 'step';
  readonly span: Span;
  readonly declared: Span;
}

/** What a name is declared as. */
type Declared = Pick<NameUse, 'kind' | 'declared'>;
type Names = ReadonlyMap<string, Declared>;
type LookUp = (name: string) => Declared | undefined;

/** What the processes declare, by the names of processes and steps. */
interface DeclaredNames {
  readonly processes: ReadonlyMap<string, ProcessNames>;
  readonly steps: Names;
}

interface ProcessNames {
  readonly own: Declared;
  readonly locations: Names;
}

/** Every use of a name of a constant, variable, process, location or step. */
export function usesIn(document: SystemDocument): readonly NameUse[] {
  const declared = declaredNames(document);
  const constants: Names = new Map(
    document.constants.map(it => [it.name, { kind: 'constant', declared: keySpan(it.field) }]),
  );
  const variables: Names = new Map(variableNames(document.variables));
  const shared: LookUp = name => variables.get(name) ?? constants.get(name);
  const constant: LookUp = name => constants.get(name);
  const inExpression = (located: LocatedExpression | undefined, names: LookUp): readonly NameUse[] =>
    located === undefined ? [] : usesOf(located, names, declared);
  const inVariables = (variables: readonly DeclaredVariable[]): readonly NameUse[] =>
    variables.flatMap(it => expressionsOf(it.content).flatMap(value => inExpression(value, constant)));
  return [
    ...document.constants.flatMap(it => inExpression(it.value, constant)),
    ...inVariables(document.variables),
    ...document.processes.flatMap(it => {
      const own: Names = new Map(variableNames(it.variables));
      const names: LookUp = name => own.get(name) ?? shared(name);
      const steps = it.steps.flatMap(({ when, set }) => [when, ...set.flatMap(({ target, value }) => [target, value])]);
      return [
        ...inExpression(it.copies, constant),
        ...inVariables(it.variables),
        ...steps.flatMap(value => inExpression(value, names)),
        ...locationPlaces(it).flatMap(place => useAt(place, declared.processes.get(it.name)?.locations)),
      ];
    }),
    ...document.properties.flatMap(it =>
      'test' in it
        ? inExpression(it.test, shared)
        : itemsIn(childOf(it.field, 'progress')).flatMap(place => useAt(place, declared.steps)),
    ),
  ];
}

/** Of names that repeat the first counts. */
function declaredNames({ processes }: SystemDocument): DeclaredNames {
  const steps = processes.flatMap(it => it.steps);
  return {
    processes: firstByName(
      processes.map(it => [
        it.name,
        { own: { kind: 'process', declared: spanOf(nameFieldOf(it.field)) }, locations: locationNames(it) },
      ]),
    ),
    steps: firstByName(steps.map(it => [it.name, { kind: 'step', declared: spanOf(nameFieldOf(it.field)) }])),
  };
}

const firstByName = <T>(all: readonly (readonly [string, T])[]): ReadonlyMap<string, T> => new Map(all.toReversed());

const variableNames = (variables: readonly DeclaredVariable[]): readonly (readonly [string, Declared])[] =>
  variables.map(it => [it.name, { kind: 'variable', declared: keySpan(it.field) }]);

function expressionsOf(content: VariableContent): readonly LocatedExpression[] {
  if (content.kind === 'scalar') return [content.value];
  return content.kind === 'filled' ? [content.size, content.value] : [content.size, ...content.values];
}

function usesOf(
  { field, expression }: LocatedExpression,
  names: LookUp,
  { processes }: DeclaredNames,
): readonly NameUse[] {
  const found: NameUse[] = [];
  const add = ({ name, start, end }: NamedPart, declared: Declared | undefined): void => {
    if (declared === undefined) return;
    const span = shifted(spanWithin(field, { start, end }), field);
    found.push({ name, span, ...declared });
  };
  const open: (Expression | undefined)[] = [expression];
  for (let it = open.pop(); it !== undefined || open.length > 0; it = open.pop()) {
    if (it === undefined) continue;
    if (it.kind === 'name') add(it, names(it.name));
    else if (it.kind === 'element') {
      add({ name: it.name, start: it.start, end: it.nameEnd }, names(it.name));
      open.push(it.index);
    } else if (it.kind === 'at') {
      const owner = processes.get(it.process.name);
      add(it.process, owner?.own);
      add(it.location, owner?.locations.get(it.location.name));
      open.push(it.index);
    } else if (it.kind === 'unary') open.push(it.operand);
    else if (it.kind === 'binary') open.push(it.right, it.left);
    else if (it.kind === 'choice') open.push(it.no, it.yes, it.condition);
  }
  return found;
}

/** A location is declared where a step first leaves from it; one that no step leaves, where it is first named. */
function locationNames({ field, steps }: DeclaredProcess): Names {
  const places = [
    ...steps.map(it => childOf(it.field, 'from')),
    ...steps.map(it => childOf(it.field, 'to')),
    childOf(field, 'start'),
  ].flatMap(it => it ?? []);
  return firstByName(places.map(it => [it.node.text, { kind: 'location', declared: spanOf(it) }]));
}

/** Where a process names its locations. */
function locationPlaces({ field, steps }: DeclaredProcess): readonly SystemField[] {
  return [
    childOf(field, 'start'),
    ...itemsIn(childOf(field, 'halt')),
    ...steps.flatMap(it => [childOf(it.field, 'from'), childOf(it.field, 'to')]),
  ].flatMap(it => it ?? []);
}

/** A field whose whole text is a name. */
function useAt(place: SystemField, names: Names | undefined): readonly NameUse[] {
  const declared = names?.get(place.node.text);
  return declared === undefined ? [] : [{ name: place.node.text, span: spanOf(place), ...declared }];
}

const itemsIn = (field: SystemField | undefined): readonly SystemField[] =>
  field?.node.children.map(node => ({ ...field, node })) ?? [];

const spanOf = (field: SystemField): Span => shifted(field.node, field);

const keySpan = (field: SystemField): Span => shifted(field.key ?? field.node, field);

const shifted = ({ start, end }: Span, { source }: SystemField): Span => ({
  start: start + source.offset,
  end: end + source.offset,
});
