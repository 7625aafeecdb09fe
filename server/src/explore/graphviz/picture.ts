/** A graph to be laid out; sizes are in points. */
export interface GraphShape {
  readonly nodes: readonly { readonly width: number; readonly height: number }[];
  readonly edges: readonly ShapedEdge[];
}

export interface ShapedEdge {
  readonly from: number;
  readonly to: number;
  /** The size of its label; absent: the picture has no place for it. */
  readonly label?: { readonly width: number; readonly height: number };
}

export interface PicturePoint {
  readonly x: number;
  readonly y: number;
}

/** Where Graphviz puts a graph, in points from the upper left corner. */
export interface GraphPicture {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PicturedNode[];
  readonly edges: readonly PicturedEdge[];
}

/** Its middle and its size. */
export interface PicturedNode extends PicturePoint {
  readonly width: number;
  readonly height: number;
}

export interface PicturedEdge {
  /** A Bézier curve: its start, then two control points and an end for each piece. */
  readonly curve: readonly PicturePoint[];
  /** The tip of the arrow. */
  readonly tip: PicturePoint;
  /** The middle of the label. */
  readonly label?: PicturePoint;
}

const POINTS_PER_INCH = 72;

/** With more edges curves round the nodes and labels take minutes. */
export const MOST_CURVES = 120;

/** Straight lines, and bounds on the network simplex, as attributes of a graph. */
export const QUICK = 'nslimit=0.1, nslimit1=1, mclimit=0.1, splines=line';

/** The graph in Graphviz's language. Nothing of its texts is in there, only their sizes. */
export function shapeInDot({ nodes, edges }: GraphShape): string {
  const inches = (points: number): string => (points / POINTS_PER_INCH).toFixed(3);
  return [
    'digraph {',
    `  graph [ranksep=0.45, nodesep=0.3${edges.length > MOST_CURVES ? `, ${QUICK}` : ''}];`,
    '  node [shape=box, fixedsize=true, label=""];',
    ...nodes.map((it, i) => `  ${i} [width=${inches(it.width)}, height=${inches(it.height)}];`),
    ...edges.map(({ from, to, label }, i) => `  ${from} -> ${to} [id=${i}${label ? placeOf(label) : ''}];`),
    '}',
  ].join('\n');
}

/** An empty table is as large as it is told to be. */
const placeOf = ({ width, height }: NonNullable<ShapedEdge['label']>): string =>
  `, label=<<table border="0" cellborder="0" fixedsize="true" width="${Math.ceil(width)}" height="${Math.ceil(height)}"><tr><td></td></tr></table>>`;

/** What is read of Graphviz's format `json`. */
interface LaidOut {
  readonly bb: string;
  readonly objects?: readonly {
    readonly name: string;
    readonly pos: string;
    /** In inches, as the height is. */
    readonly width: string;
    readonly height: string;
  }[];
  readonly edges?: readonly { readonly id: string; readonly pos: string; readonly lp?: string }[];
}

/** Reads Graphviz's answer in its format `json`, whose points are counted from the lower left corner. */
export function pictureFrom(json: string): GraphPicture {
  const { bb, objects = [], edges = [] } = JSON.parse(json) as LaidOut;
  const [, , width = 0, height = 0] = bb.split(',').map(Number);
  const point = (text: string): PicturePoint => {
    const [x = 0, y = 0] = text.split(',').map(Number);
    return { x, y: height - y };
  };
  const points = (inches: string): number => Number(inches) * POINTS_PER_INCH;
  const nodes: PicturedNode[] = [];
  for (const { name, pos, ...size } of objects) {
    nodes[Number(name)] = { ...point(pos), width: points(size.width), height: points(size.height) };
  }
  const curves: PicturedEdge[] = [];
  for (const { id, pos, lp } of edges) {
    const [tip = '', ...rest] = pos.split(' ');
    const curve = rest.map(point);
    const label = lp === undefined ? {} : { label: point(lp) };
    curves[Number(id)] = { curve, tip: point(tip.replace(/^e,/, '')), ...label };
  }
  return { width, height, nodes, edges: curves };
}
