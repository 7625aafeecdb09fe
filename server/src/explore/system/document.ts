import type { Expression } from './expression/ast';
import type { SystemField } from './field';

/** A document of kind System as it is written, with the place of everything in it. */
export interface SystemDocument {
  /** '' where it has none. */
  readonly name: string;
  readonly constants: readonly DeclaredConstant[];
  readonly variables: readonly DeclaredVariable[];
  readonly processes: readonly DeclaredProcess[];
  readonly properties: readonly DeclaredProperty[];
}

/** An expression, or the number or boolean in its place. */
export interface LocatedExpression {
  readonly expression: Expression;
  readonly field: SystemField;
}

export interface DeclaredConstant {
  readonly name: string;
  readonly field: SystemField;
  readonly value: LocatedExpression;
}

export interface DeclaredVariable {
  readonly name: string;
  readonly field: SystemField;
  readonly content: VariableContent;
}

export type VariableContent =
  | { readonly kind: 'scalar'; readonly value: LocatedExpression }
  | { readonly kind: 'filled'; readonly size: LocatedExpression; readonly value: LocatedExpression }
  | {
      readonly kind: 'listed';
      readonly size: LocatedExpression;
      readonly values: readonly LocatedExpression[];
      /** How many values are written. */
      readonly count: number;
      readonly field: SystemField;
    };

export interface DeclaredProcess {
  readonly name: string;
  readonly field: SystemField;
  readonly copies: LocatedExpression | undefined;
  readonly variables: readonly DeclaredVariable[];
  /** In the order in which they are named; the first is where it starts. */
  readonly locations: readonly string[];
  readonly halt: ReadonlySet<string>;
  readonly steps: readonly DeclaredStep[];
}

export interface DeclaredStep {
  readonly name: string;
  readonly field: SystemField;
  readonly from: string;
  readonly to: string;
  readonly when: LocatedExpression | undefined;
  readonly set: readonly DeclaredWrite[];
}

export interface DeclaredWrite {
  /** A name or an element. */
  readonly target: LocatedExpression;
  readonly value: LocatedExpression;
}

export type DeclaredProperty = {
  readonly name: string;
  readonly field: SystemField;
} & (
  | { readonly kind: 'never' | 'atEnd' | 'canAlwaysReach'; readonly test: LocatedExpression }
  | { readonly kind: 'progress'; readonly steps: readonly string[]; readonly fairness?: 'weak' }
);
