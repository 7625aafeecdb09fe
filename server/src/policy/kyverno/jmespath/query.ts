import type { compile } from '@jmespath-community/jmespath';
import { Indeterminate, KyvernoError } from '../results/failures';

/** The parser's module. Bundled with the rest, but run only with the first expression. */
const jmespathLibrary = (): typeof import('@jmespath-community/jmespath') => require('@jmespath-community/jmespath');

type AnyNode = ReturnType<typeof compile>;
/** Node types of later JMESPath versions, which Kyverno's parser rejects. */
type LaterType = 'LetExpression' | 'Binding' | 'Variable' | 'Ternary' | 'Arithmetic' | 'Unary' | 'Root';
/** A node of an expression in Kyverno's grammar. */
export type QueryNode = Exclude<AnyNode, { readonly type: LaterType }>;

const laterTypes: ReadonlySet<string> = new Set<LaterType>([
  'LetExpression',
  'Binding',
  'Variable',
  'Ternary',
  'Arithmetic',
  'Unary',
  'Root',
]);

/** Nobody writes a longer query by hand, and each object would be asked it anew. */
export const LONGEST_QUERY = 10_000;

/** Throws a KyvernoError for a syntax error, and Indeterminate for a query that is too long. Upstream: go-jmespath.Compile. */
export function parseQuery(text: string): QueryNode {
  const query = text.trim();
  if (query === '') throw new KyvernoError('invalid query (nil)');
  if (query.length > LONGEST_QUERY)
    throw new Indeterminate(
      `a query has more than ${LONGEST_QUERY.toLocaleString('en')} characters and is not asked here`,
    );
  try {
    const node = jmespathLibrary().compile(withGoStrings(query));
    const later = [...nodesOf(node)].find(it => laterTypes.has(it.type));
    if (later !== undefined) throw new Error(`Syntax error: ${later.type} is not part of JMESPath as Kyverno reads it`);
    return node as QueryNode;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Syntax error: /, 'SyntaxError: ') : String(error);
    throw new KyvernoError(`incorrect query ${query}: ${reason}`);
  }
}

/** In a raw string of Kyverno's parser a backslash is literal unless a quote follows. */
function withGoStrings(query: string): string {
  return query.replace(/`(?:\\.|[^`\\])*`|"(?:\\.|[^"\\])*"|'(?:\\'|[^'])*'/gs, it =>
    it.startsWith("'") ? `'${it.slice(1, -1).replace(/\\(?!')/g, '\\\\')}'` : it,
  );
}

/** A node and its descendants. */
export function* nodesOf(node: AnyNode): Iterable<AnyNode> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesOf(child);
}

function childrenOf(node: AnyNode): readonly AnyNode[] {
  if (node.type === 'Literal') return [];
  return Object.values(node as unknown as Record<string, unknown>)
    .flatMap(it => (Array.isArray(it) ? it : [it]))
    .filter(isNode);
}

const isNode = (it: unknown): it is AnyNode =>
  typeof it === 'object' && it !== null && 'type' in it && typeof it.type === 'string';
