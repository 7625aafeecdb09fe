/**
 * A node of one document's syntax tree. Offsets count from the start of the document's own text, so that a document
 * that moves in its file keeps its tree.
 */
export interface YamlNode {
  readonly kind: 'scalar' | 'map' | 'seq' | 'alias';
  readonly start: number;
  end: number;
  /** Column of the keys or dashes of a block collection; -1 for everything else. */
  readonly column: number;
  /** Items of a sequence; keys and values of a mapping in turn. */
  readonly children: YamlNode[];
  /** Offsets of the dashes of a block sequence. */
  readonly dashes: number[];
  /** Content of a scalar, name of an alias. */
  readonly text: string;
  /** Whether a scalar has no quotes, so that its text decides its type. */
  readonly plain: boolean;
  /** Tag as written; '' if there is none. */
  tag: string;
  anchor: string;
  /** The node that an alias refers to. */
  readonly target: YamlNode | undefined;
}

const NO_NODES: YamlNode[] = [];
const NO_DASHES: number[] = [];

/** A scalar node: `style` decides whether its text determines its type. */
export function scalarNode(start: number, end: number, text: string, style: 'plain' | 'quoted'): YamlNode {
  return {
    kind: 'scalar',
    start,
    end,
    column: -1,
    children: NO_NODES,
    dashes: NO_DASHES,
    text,
    plain: style === 'plain',
    tag: '',
    anchor: '',
    target: undefined,
  };
}

/** An empty mapping or sequence; `column` is -1 in flow style. */
export function collectionNode(kind: 'map' | 'seq', start: number, column: number): YamlNode {
  return {
    kind,
    start,
    end: start,
    column,
    children: [],
    dashes: kind === 'seq' && column >= 0 ? [] : NO_DASHES,
    text: '',
    plain: false,
    tag: '',
    anchor: '',
    target: undefined,
  };
}

export function aliasNode(start: number, end: number, name: string, target: YamlNode | undefined): YamlNode {
  return {
    kind: 'alias',
    start,
    end,
    column: -1,
    children: NO_NODES,
    dashes: NO_DASHES,
    text: name,
    plain: false,
    tag: '',
    anchor: '',
    target,
  };
}
