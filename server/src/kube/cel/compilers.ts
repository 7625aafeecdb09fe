import { lazy } from '../../base/lazy';
import { type AdmissionCompiler, admissionCompiler } from './admission';
import { type DeviceSelectors, deviceSelectors, type SelectorFacts } from './deviceSelector';
import { type CheckResult, checkExpression, kubernetesEnvironment } from './environment';
import { type CompiledRegex, compileRegex } from './regex';
import {
  type SchemaExpressions,
  type StoredExpressions,
  schemaExpressions,
  storedExpressions,
} from './schemaExpressions';

/** The compilers of one minor with one set of gates. Their environments are created on demand. */
export interface CelCompilers {
  readonly selectors: DeviceSelectors;
  /** Checks the expressions of a schema against the types that it declares. */
  readonly ofSchema: SchemaExpressions;
  /** The same when the server runs them. */
  readonly ofStoredSchema: StoredExpressions;
  /** An assertion about an object: `object` is the written object, `pod` its PodSpec. The latest ones are kept. */
  assertion(text: string): CheckResult;
  /** The condition of a known issue: an assertion with `self`, a value of the object, and `found`, other objects. */
  issue(text: string): CheckResult;
  /** An expression of an admission policy or webhook. */
  readonly admission: AdmissionCompiler;
  /** A pattern of a custom resource's schema. The latest ones are kept. */
  pattern(text: string): CompiledRegex;
}

/** Each takes about ten kilobytes. */
const PATTERNS_KEPT = 200;

export function celCompilers(facts: SelectorFacts): CelCompilers {
  return {
    selectors: deviceSelectors(facts),
    ofSchema: schemaExpressions(facts.minor),
    ofStoredSchema: storedExpressions(facts.minor),
    assertion: assertionCompiler(),
    issue: expressionCompiler(['object', 'pod', 'self', 'found']),
    admission: admissionCompiler(facts.minor),
    pattern: keepingLatest(PATTERNS_KEPT, compileRegex),
  };
}

/** More than the conditions of all known issues. Each key that is typed in an assertion makes another text. */
const EXPRESSIONS_KEPT = 500;

/** Compiles each text once, as long as there are not too many of them. */
function keepingLatest<T>(most: number, compile: (text: string) => T): (text: string) => T {
  const compiled = new Map<string, T>();
  return text => {
    const known = compiled.get(text);
    if (known !== undefined) return known;
    if (compiled.size >= most) compiled.clear();
    const made = compile(text);
    compiled.set(text, made);
    return made;
  };
}

/** Compiles assertions about objects before a minor is chosen. */
export const assertionCompiler = (): CelCompilers['assertion'] => expressionCompiler(['object', 'pod']);

/** Compiles expressions over some variables of any type. The latest ones are kept. */
export function expressionCompiler(variables: readonly string[]): (text: string) => CheckResult {
  const environment = lazy(() =>
    variables.reduce(
      (made, name) => made.registerVariable(name, 'dyn'),
      kubernetesEnvironment('has none', 'of any type'),
    ),
  );
  return keepingLatest(EXPRESSIONS_KEPT, text => checkExpression(environment(), text));
}
