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

/** Every use of a name of a constant, variable, process, location or step. */
export function usesIn(document: SystemDocument): readonly NameUse[] {
  const constants: Names = new Map(
    document.constants.map(it => [it.name, { kind: 'constant', declared: keySpan(it.field) }]),
  );
  const shared: Names = new Map([...constants, ...variableNames(document.variables)]);
  const inExpression = (located: LocatedExpression | undefined, names: Names): readonly NameUse[] =>
    located === undefined ? [] : usesOf(located, located.expression, names, document);
  const inVariables = (variables: readonly DeclaredVariable[]): readonly NameUse[] =>
    variables.flatMap(it => expressionsOf(it.content).flatMap(value => inExpression(value, constants)));
  return [
    ...document.constants.flatMap(it => inExpression(it.value, constants)),
    ...inVariables(document.variables),
    ...document.processes.flatMap(it => {
      const names: Names = new Map([...shared, ...variableNames(it.variables)]);
      const steps = it.steps.flatMap(({ when, set }) => [when, ...set.flatMap(({ target, value }) => [target, value])]);
      return [
        ...inExpression(it.copies, constants),
        ...inVariables(it.variables),
        ...steps.flatMap(value => inExpression(value, names)),
        ...locationUses(it),
      ];
    }),
    ...document.properties.flatMap(it =>
      'test' in it ? inExpression(it.test, shared) : stepUses(childOf(it.field, 'progress'), document),
    ),
  ];
}

const variableNames = (variables: readonly DeclaredVariable[]): readonly (readonly [string, Declared])[] =>
  variables.map(it => [it.name, { kind: 'variable', declared: keySpan(it.field) }]);

function expressionsOf(content: VariableContent): readonly LocatedExpression[] {
  if (content.kind === 'scalar') return [content.value];
  return content.kind === 'filled' ? [content.size, content.value] : [content.size, ...content.values];
}

function usesOf(
  { field }: LocatedExpression,
  expression: Expression,
  names: Names,
  document: SystemDocument,
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
    if (it.kind === 'name') add(it, names.get(it.name));
    else if (it.kind === 'element') {
      add({ name: it.name, start: it.start, end: it.nameEnd }, names.get(it.name));
      open.push(it.index);
    } else if (it.kind === 'at') {
      const { name } = it.process;
      const owner = document.processes.find(other => other.name === name);
      add(it.process, owner && { kind: 'process', declared: spanOf(nameFieldOf(owner.field)) });
      add(it.location, owner && locationOf(owner, it.location.name));
      open.push(it.index);
    } else if (it.kind === 'unary') open.push(it.operand);
    else if (it.kind === 'binary') open.push(it.right, it.left);
    else if (it.kind === 'choice') open.push(it.no, it.yes, it.condition);
  }
  return found;
}

/** A location is declared where a step first leaves from it; one that no step leaves, where it is first named. */
function locationOf({ field, steps }: DeclaredProcess, name: string): Declared | undefined {
  const places = [
    ...steps.filter(it => it.from === name).map(it => childOf(it.field, 'from')),
    ...steps.filter(it => it.to === name).map(it => childOf(it.field, 'to')),
    childOf(field, 'start'),
  ];
  const place = places.find(it => it !== undefined && it.node.text === name);
  return place && { kind: 'location', declared: spanOf(place) };
}

function locationUses(declared: DeclaredProcess): readonly NameUse[] {
  const halt = childOf(declared.field, 'halt');
  const places = [
    childOf(declared.field, 'start'),
    ...(halt === undefined ? [] : itemsIn(halt)),
    ...declared.steps.flatMap(it => [childOf(it.field, 'from'), childOf(it.field, 'to')]),
  ];
  return places.flatMap(it => {
    const found = it && locationOf(declared, it.node.text);
    return found === undefined ? [] : [{ name: it!.node.text, span: spanOf(it!), ...found }];
  });
}

function stepUses(progress: SystemField | undefined, { processes }: SystemDocument): readonly NameUse[] {
  const steps = processes.flatMap(it => it.steps);
  return (progress === undefined ? [] : itemsIn(progress)).flatMap(it => {
    const step = steps.find(({ name }) => name === it.node.text);
    return step === undefined
      ? []
      : [{ name: step.name, kind: 'step' as const, span: spanOf(it), declared: spanOf(nameFieldOf(step.field)) }];
  });
}

const itemsIn = (field: SystemField): readonly SystemField[] => field.node.children.map(node => ({ ...field, node }));

const spanOf = (field: SystemField): Span => shifted(field.node, field);

const keySpan = (field: SystemField): Span => shifted(field.key ?? field.node, field);

const shifted = ({ start, end }: Span, { source }: SystemField): Span => ({
  start: start + source.offset,
  end: end + source.offset,
});
