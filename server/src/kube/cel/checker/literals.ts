import { durationError } from '../../goDuration';
import { compileRegex } from '../regex';
import type { Checked } from './check';
import { formatIssues } from './formats';
import { childrenOf, type Expr, type Issue } from './nodes';
import { isOptional, isSame, type Type, typeInError } from './types';

/**
 * Errors of literals in an expression that is checked: patterns, durations and times that cannot be read, and lists and
 * maps of several types. Upstream: the validators of cel.ASTValidators in k8s.io/apiserver/pkg/cel/environment.
 */
export function literalIssues(root: Expr, checked: Checked): readonly Issue[] {
  const issues: Issue[] = [];
  for (const { node, isInFormat } of nodesIn(root)) {
    if (node.kind === 'call') {
      issues.push(...argumentIssues(node.name, node.args[0]), ...formatIssues(node, checked.typeAt));
    }
    if (node.kind === 'list' && !isInFormat) {
      issues.push(
        ...mixed(
          node.items.map(it => ({ at: it.value.at, type: valueType(it.value, it.isOptional) })),
          'first',
        ),
      );
    }
    if (node.kind === 'map' && !isInFormat) {
      issues.push(
        ...mixed(
          node.entries.map(({ key }) => ({ at: key.at, type: checked.typeAt(key) })),
          'all',
        ),
      );
      const values = node.entries.map(it => ({ at: it.value.at, type: valueType(it.value, it.isOptional) }));
      issues.push(...mixed(values, 'all'));
    }
  }
  return issues;

  function valueType(node: Expr, isOptionalEntry: boolean): Type {
    const type = checked.typeAt(node);
    return isOptionalEntry && isOptional(type) ? type.params[0]! : type;
  }
}

/** Each part whose type is not that of the first; of a list only the first such part. */
function mixed(
  parts: readonly { readonly at: number; readonly type: Type }[],
  count: 'first' | 'all',
): readonly Issue[] {
  const [first, ...others] = parts;
  if (first === undefined) return [];
  const issues = others
    .filter(it => !isSame(it.type, first.type))
    .map(({ at, type }) => ({
      at,
      text: `expected type '${typeInError(first.type)}' but found '${typeInError(type)}'`,
    }));
  return count === 'first' ? issues.slice(0, 1) : issues;
}

const READERS: Readonly<Record<string, (text: string) => boolean>> = {
  duration: text => durationError(text) === undefined,
  timestamp: isTime,
  matches: text => !('error' in compileRegex(text)),
};

function argumentIssues(name: string, argument: Expr | undefined): readonly Issue[] {
  if (argument?.kind !== 'literal' || typeof argument.value !== 'string' || !Object.hasOwn(READERS, name)) return [];
  return READERS[name]?.(argument.value) === true ? [] : [{ at: argument.at, text: `invalid ${name} argument` }];
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,]\d+)?(?:Z|[+-](\d\d):(\d\d))$/;

/** Upstream: Go's time.Parse with RFC 3339, and types.Timestamp, which begins with the year 1. */
function isTime(text: string): boolean {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, zoneHour = 0, zoneMinute = 0] =
    TIME.exec(text)
      ?.slice(1)
      .map(it => Number(it ?? 0)) ?? [];
  const days = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  const isDay = year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= days;
  return isDay && hour < 24 && minute < 60 && second < 60 && zoneHour <= 24 && zoneMinute < 60;
}

interface Place {
  readonly node: Expr;
  readonly isInFormat: boolean;
}

/** All nodes, each once. Lists in the arguments of `format` may be of several types. */
function* nodesIn(root: Expr): Iterable<Place> {
  const seen = new Set<Expr>();
  const waiting: Place[] = [{ node: root, isInFormat: false }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (seen.has(place.node)) continue;
    seen.add(place.node);
    yield place;
    const isInFormat = place.isInFormat || (place.node.kind === 'call' && place.node.name === 'format');
    for (const node of childrenOf(place.node)) waiting.push({ node, isInFormat });
  }
}
