import { push } from '../base/multiMap';
import { printed } from '../base/printed';
import { labelValueErrors, qualifiedNameErrors } from './names';
import type {
  LabelSelector,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PreferredSchedulingTerm,
  StringMap,
} from './types';

/** In, NotIn, Exists, DoesNotExist, Gt, Lt as the API spells them. */
export type SelectorOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';

export interface Requirement {
  readonly key: string;
  readonly operator: SelectorOperator;
  readonly values: readonly string[];
}

/** A compiled selector. With an error it matches nothing, and upstream reports that error. */
export interface LabelMatcher {
  matches(labels: StringMap | undefined): boolean;
  /** An absent selector matches nothing, an empty one everything, any other what meets its requirements. */
  readonly kind: 'nothing' | 'everything' | 'requirements';
  readonly requirements: readonly Requirement[];
  readonly error?: string;
}

/** The part of a Node that node selectors use. */
export interface NodeIdentity {
  readonly name: string;
  readonly labels?: StringMap;
}

export interface NodeMatcher {
  matches(node: NodeIdentity): boolean;
  /** Upstream's parse errors; a term with one matches no node. */
  readonly errors: readonly string[];
}

const nothing: LabelMatcher = { kind: 'nothing', requirements: [], matches: () => false };
const everything: LabelMatcher = { kind: 'everything', requirements: [], matches: () => true };

const labelSelectorOperators: ReadonlySet<string> = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist']);
const nodeSelectorOperators = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] as const;
const emptyLabels: StringMap = {};

/** An absent selector matches nothing, an empty one everything. Upstream: metav1.LabelSelectorAsSelector. */
export function labelMatcher(selector: LabelSelector | undefined | null): LabelMatcher {
  if (selector === undefined || selector === null) return nothing;
  const exact = Object.entries(selector.matchLabels ?? {});
  const expressions = selector.matchExpressions ?? [];
  if (exact.length + expressions.length === 0) return everything;
  const requirements: Requirement[] = exact.map(([key, value]) => ({ key, operator: 'In', values: [value] }));
  for (const it of expressions) {
    const operator = it.operator ?? '';
    if (!labelSelectorOperators.has(operator)) {
      return { ...nothing, error: `${quote(operator)} is not a valid label selector operator` };
    }
    requirements.push({ key: it.key ?? '', operator: operator as SelectorOperator, values: it.values ?? [] });
  }
  const errors = requirements.map(it => aggregate(requirementErrors(it, ''))).find(it => it !== undefined);
  if (errors !== undefined) return { ...nothing, error: errors };
  return requirementsMatcher(requirements);
}

/**
 * A plain map of labels, as in Services, nodeSelector and ReplicationController: all labels must be equal, an empty map
 * matches everything, nothing is validated. Upstream: labels.SelectorFromSet.
 */
export function labelMapMatcher(labels: StringMap | undefined | null): LabelMatcher {
  const entries = Object.entries(labels ?? {});
  if (entries.length === 0) return everything;
  return requirementsMatcher(entries.map(([key, value]) => ({ key, operator: 'In', values: [value] })));
}

/** The selector with further requirements, as the scheduler merges `matchLabelKeys` into a selector. */
export function withRequirements(matcher: LabelMatcher, more: readonly Requirement[]): LabelMatcher {
  if (matcher.kind === 'nothing' || more.length === 0) return matcher;
  return requirementsMatcher([...matcher.requirements, ...more]);
}

/** Whether labels meet one requirement. Upstream: labels.Requirement.Matches. */
export function requirementHolds({ key, operator, values }: Requirement, labels: StringMap): boolean {
  const present = Object.hasOwn(labels, key);
  const value = labels[key];
  switch (operator) {
    case 'In':
      return present && values.includes(printed(value));
    case 'NotIn':
      return !present || !values.includes(printed(value));
    case 'Exists':
      return present;
    case 'DoesNotExist':
      return !present;
    case 'Gt':
    case 'Lt': {
      const actual = present ? parseInt64(printed(value)) : undefined;
      const bound = values.length === 1 ? parseInt64(values[0] ?? '') : undefined;
      if (actual === undefined || bound === undefined) return false;
      return operator === 'Gt' ? actual > bound : actual < bound;
    }
  }
}

/**
 * The errors of a requirement as upstream's messages, with field paths below `path` ('' for none). Upstream:
 * labels.NewRequirement.
 */
export function requirementErrors({ key, operator, values }: Requirement, path: string): readonly string[] {
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const keyErrors = qualifiedNameErrors(key);
  return [
    ...(keyErrors.length > 0 ? [invalid(at('key'), key, keyErrors.join('; '))] : []),
    ...countErrors(operator, values, at('values')),
    ...values.flatMap((value, i) => {
      const errors = labelValueErrors(value);
      return errors.length > 0 ? [invalid(`${at('values')}[${i}][${key}]`, value, errors.join('; '))] : [];
    }),
  ];
}

/**
 * Terms are alternatives; an empty term matches no node; a term with an error matches none, the others still count.
 * Upstream: nodeaffinity.NewLazyErrorNodeSelector. `path` precedes `nodeSelectorTerms` in the paths of errors.
 */
export function nodeSelectorMatcher(selector: NodeSelector | undefined | null, path = ''): NodeMatcher {
  const terms = (selector?.nodeSelectorTerms ?? []).flatMap((term, i) =>
    isEmptyTerm(term) ? [] : [{ term, matcher: nodeTermMatcher(term, join(path, `nodeSelectorTerms[${i}]`)) }],
  );
  return { errors: terms.flatMap(it => it.matcher.errors), matches: matchesSome(terms) };
}

interface CompiledTerm {
  readonly term: NodeSelectorTerm;
  readonly matcher: NodeMatcher;
}

/** So many terms are asked one after the other. Of more, only those that want a label of the node are asked. */
const FEW_TERMS = 8;

function matchesSome(terms: readonly CompiledTerm[]): NodeMatcher['matches'] {
  if (terms.length <= FEW_TERMS) return node => terms.some(it => it.matcher.matches(node));
  const others: NodeMatcher[] = [];
  const keys = new Set<string>();
  const byLabel = new Map<string, NodeMatcher[]>();
  for (const { term, matcher } of terms) {
    const wanted = term.matchExpressions?.find(it => it.operator === 'In');
    if (wanted === undefined) others.push(matcher);
    else keys.add(wanted.key ?? '');
    for (const value of wanted?.values ?? []) push(byLabel, `${wanted?.key ?? ''}=${value}`, matcher);
  }
  return node => {
    const labels = node.labels ?? emptyLabels;
    const asking = (key: string): readonly NodeMatcher[] => byLabel.get(`${key}=${printed(labels[key])}`) ?? [];
    const matches = (it: NodeMatcher): boolean => it.matches(node);
    const known = keys.size <= FEW_TERMS ? [...keys] : Object.keys(labels).filter(it => keys.has(it));
    return known.some(it => asking(it).some(matches)) || others.some(matches);
  };
}

/**
 * The sum of the weights of the terms that match. A term with weight 0 and an empty one are skipped; any error makes
 * the whole list unusable. Upstream: nodeaffinity.NewPreferredSchedulingTerms.
 */
export function preferredTerms(
  terms: readonly PreferredSchedulingTerm[] | undefined,
  path = '',
): { readonly errors: readonly string[]; score(node: NodeIdentity): number } {
  const parsed = (terms ?? []).flatMap((term, i) => {
    const weight = term.weight ?? 0;
    if (weight === 0 || term.preference === undefined || isEmptyTerm(term.preference)) return [];
    return [{ weight, matcher: nodeTermMatcher(term.preference, `${path}[${i}]`) }];
  });
  return {
    errors: parsed.flatMap(it => it.matcher.errors),
    score: node => parsed.reduce((sum, it) => sum + (it.matcher.matches(node) ? it.weight : 0), 0),
  };
}

/** One term: all label expressions and all field expressions must match. Upstream: nodeaffinity.newNodeSelectorTerm. */
export function nodeTermMatcher(term: NodeSelectorTerm, path = ''): NodeMatcher {
  const labels = (term.matchExpressions ?? []).map((it, i) => labelTerm(it, join(path, `matchExpressions[${i}]`)));
  const fields = (term.matchFields ?? []).map((it, i) => fieldTerm(it, join(path, `matchFields[${i}]`)));
  const errors = [...labels, ...fields].flatMap(it => it.errors);
  return {
    errors,
    matches: node =>
      errors.length === 0 && labels.every(it => it.matches(node)) && fields.every(it => it.matches(node)),
  };
}

/** Several messages as one, joined as upstream does; undefined for none. Upstream: errors.NewAggregate. */
export function aggregate(messages: readonly string[]): string | undefined {
  const distinct = [...new Set(messages)];
  return distinct.length > 1 ? `[${distinct.join(', ')}]` : distinct[0];
}

function requirementsMatcher(requirements: readonly Requirement[]): LabelMatcher {
  return {
    kind: 'requirements',
    requirements,
    matches: labels => requirements.every(it => requirementHolds(it, labels ?? emptyLabels)),
  };
}

function labelTerm(it: NodeSelectorRequirement, path: string): NodeMatcher {
  const operator = nodeSelectorOperators.find(name => name === it.operator);
  if (operator === undefined) return broken([notSupported(`${path}.operator`, it.operator, nodeSelectorOperators)]);
  const requirement: Requirement = { key: it.key ?? '', operator, values: it.values ?? [] };
  const errors = requirementErrors(requirement, path);
  if (errors.length > 0) return broken(errors);
  return { errors: [], matches: node => requirementHolds(requirement, node.labels ?? emptyLabels) };
}

function fieldTerm(it: NodeSelectorRequirement, path: string): NodeMatcher {
  if (it.operator !== 'In' && it.operator !== 'NotIn') {
    return broken([notSupported(`${path}.operator`, it.operator, ['In', 'NotIn'])]);
  }
  const values = it.values ?? [];
  if (values.length !== 1) return broken([invalid(`${path}.values`, values, 'must have one element')]);
  const wanted = values[0];
  // A missing field reads as the empty string; the fields of a Node without a name are not compared at all.
  const equal = (node: NodeIdentity) => (it.key === 'metadata.name' ? node.name : '') === wanted;
  return { errors: [], matches: node => node.name === '' || equal(node) === (it.operator === 'In') };
}

function broken(errors: readonly string[]): NodeMatcher {
  return { errors, matches: () => false };
}

function isEmptyTerm(term: NodeSelectorTerm): boolean {
  return (term.matchExpressions ?? []).length === 0 && (term.matchFields ?? []).length === 0;
}

function countErrors(operator: SelectorOperator, values: readonly string[], path: string): readonly string[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length === 0
        ? [invalid(path, values, "for 'in', 'notin' operators, values set can't be empty")]
        : [];
    case 'Exists':
    case 'DoesNotExist':
      return values.length > 0 ? [invalid(path, values, 'values set must be empty for exists and does not exist')] : [];
    case 'Gt':
    case 'Lt':
      return [
        ...(values.length === 1
          ? []
          : [invalid(path, values, "for 'Gt', 'Lt' operators, exactly one value is required")]),
        ...values.flatMap((value, i) =>
          parseInt64(value) === undefined
            ? [invalid(`${path}[${i}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer")]
            : [],
        ),
      ];
  }
}

/** Upstream: strconv.ParseInt(text, 10, 64). */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[-+]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function invalid(path: string, value: string | readonly string[], detail: string): string {
  const shown = typeof value === 'string' ? quote(value) : value.length === 0 ? 'null' : JSON.stringify(value);
  return `${path}: Invalid value: ${shown}: ${detail}`;
}

function notSupported(path: string, value: string | undefined, supported: readonly string[]): string {
  return `${path}: Unsupported value: ${quote(value ?? '')}: supported values: ${supported.map(quote).join(', ')}`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}

function join(path: string, child: string): string {
  return path === '' ? child : `${path}.${child}`;
}
