import type { CelNode } from './library';

/**
 * A call of a function, a method or a macro. In the evaluator namespaces are constants; in CEL, and here, they are the
 * first part of a function's name: `sets.contains`.
 */
export interface Call {
  readonly name: string;
  readonly target: CelNode | undefined;
  readonly args: readonly CelNode[];
}

/** In the evaluator namespaces are constants; in CEL they are the first part of a function's name. */
const namespaces: ReadonlySet<string> = new Set([
  'cel',
  'optional',
  'sets',
  'lists',
  'math',
  'strings',
  'ip',
  'format',
]);

export function callOf(node: CelNode): Call | undefined {
  if (node.op === 'call') {
    const [name, args] = node.args as readonly [string, readonly CelNode[]];
    return { name, target: undefined, args };
  }
  if (node.op !== 'rcall') return undefined;
  const [name, target, args] = node.args as readonly [string, CelNode, readonly CelNode[]];
  const isNamespace =
    target.op === 'id' && namespaces.has(String(target.args)) && target.checkedType?.kind === 'message';
  const isBind = name === 'bind' && target.op === 'id' && target.args === 'cel';
  return isNamespace || isBind
    ? { name: `${String(target.args)}.${name}`, target: undefined, args }
    : { name, target, args };
}

/** The children of a node, in the order in which they are written. */
export function childrenOf(node: CelNode): readonly CelNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case 'call':
      return (node.args as readonly [string, readonly CelNode[]])[1];
    case 'rcall': {
      const [, target, args] = node.args as readonly [string, CelNode, readonly CelNode[]];
      return [target, ...args];
    }
    case '.':
    case '.?':
      return [(node.args as readonly [CelNode, string])[0]];
    case 'map':
      return (node.args as readonly (readonly [CelNode, CelNode])[]).flat();
    case '!_':
    case '-_':
      return [node.args as CelNode];
    default:
      return node.args as readonly CelNode[];
  }
}

/** The node and all of its descendants, in the order in which they are written. They may be nested in any depth. */
export function* walkNodes(root: CelNode): Iterable<CelNode> {
  const left = [root];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    yield node;
    for (const child of childrenOf(node).toReversed()) left.push(child);
  }
}
