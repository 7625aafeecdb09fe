import type { PreviewModel, PreviewNode, PreviewPod } from '../../../../server/src/analysis/previewModel';
import { countsOf, type Pods, podsById, resourcesOf, tilesOf, victimsByNode, zonesOf } from '../state/selectors';
import { strings } from '../text/strings';
import { freeInWords, resourceLabel } from '../text/units';

/** What a picture is made of, in pixels; the same for SVG and for a canvas. */
export type SvgShape =
  | {
      readonly is: 'box';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly fill: string;
    }
  /** `y` is the line that letters stand on. */
  | {
      readonly is: 'text';
      readonly x: number;
      readonly y: number;
      readonly text: string;
      readonly size: number;
      readonly fill: string;
      readonly bold?: boolean;
    };

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly SvgShape[];
}

/** For paper: dark on white, whatever the theme. */
const INK = {
  page: '#ffffff',
  text: '#1f2328',
  quiet: '#59636e',
  card: '#f3f4f6',
  track: '#d8dbe0',
  running: '#7d8590',
  placed: '#0969da',
  victim: '#cf222e',
  pending: '#cf222e',
} as const;

const FONT = 'system-ui, sans-serif';
const COLUMNS = 4;
const CARD = { width: 250, gap: 12, padding: 10 };
const MARGIN = 20;
const LINE = 16;

/** The board as a picture: nodes by zone with their bars and Pods, then the Pods without a node. */
export function pictureOf(model: PreviewModel): Picture {
  const pods = podsById(model);
  const gone = victimsByNode(model);
  const width = 2 * MARGIN + COLUMNS * CARD.width + (COLUMNS - 1) * CARD.gap;
  const { placed, pending, evicted } = countsOf(model);
  const { header } = strings;
  const facts = [
    header.kubernetes(model.kubernetesVersion),
    model.cluster.label,
    header.placed(placed),
    header.pending(pending),
    header.evicted(evicted),
  ].join(' · ');
  const shapes: SvgShape[] = [text(MARGIN, MARGIN + 12, facts, 14, INK.text, 'bold')];
  let y = MARGIN + 12 + LINE;
  for (const zone of zonesOf(model.nodes)) {
    y += LINE;
    shapes.push(text(MARGIN, y, strings.nodeGrid.zone(zone.name), 13, INK.text, 'bold'));
    y += 8;
    for (let first = 0; first < zone.nodes.length; first += COLUMNS) {
      const row = zone.nodes.slice(first, first + COLUMNS);
      const cards = row.map((node, column) =>
        cardOf(node, tilesOf(node, pods, gone.get(node.name) ?? []), MARGIN + column * (CARD.width + CARD.gap), y),
      );
      shapes.push(...cards.flatMap(it => it.shapes));
      y += Math.max(...cards.map(it => it.height)) + CARD.gap;
    }
  }
  const waiting = waitingPods(pods, y + LINE);
  return { width, height: waiting.bottom + MARGIN, shapes: [...shapes, ...waiting.shapes] };
}

function cardOf(node: PreviewNode, tiles: readonly PreviewPod[], x: number, y: number) {
  const inner = CARD.width - 2 * CARD.padding;
  const left = x + CARD.padding;
  const shapes: SvgShape[] = [text(left, y + CARD.padding + 10, fitting(node.name, inner, 13), 13, INK.text, 'bold')];
  let at = y + CARD.padding + 10;
  for (const { name, running, placed, allocatable } of resourcesOf(node)) {
    const part = (amount: number): number => (inner * amount) / Math.max(1, allocatable, running + placed);
    const words = `${resourceLabel(name)}: ${freeInWords(name, running + placed, allocatable)}`;
    at += LINE;
    shapes.push(text(left, at, fitting(words, inner, 11), 11, INK.quiet));
    at += 5;
    shapes.push(box(left, at, inner, 6, INK.track), box(left, at, part(running), 6, INK.running));
    shapes.push(box(left + part(running), at, part(placed), 6, INK.placed));
    at += 6;
  }
  for (const pod of tiles) {
    at += LINE;
    shapes.push(box(left, at - 9, 9, 9, pod.state === 'running' ? INK.running : INK[pod.state]));
    const words = pod.state === 'victim' ? `${pod.name} (${strings.nodeGrid.legend.victim})` : pod.name;
    shapes.push(text(left + 14, at, fitting(words, inner - 14, 11), 11, INK.text));
  }
  const height = at + CARD.padding - y;
  return { height, shapes: [box(x, y, CARD.width, height, INK.card), ...shapes] };
}

function waitingPods(pods: Pods, from: number): { readonly bottom: number; readonly shapes: readonly SvgShape[] } {
  const waiting = [...pods.values()].filter(it => it.state === 'pending');
  if (waiting.length === 0) return { bottom: from - LINE, shapes: [] };
  const lines = waiting.flatMap((pod, index): readonly SvgShape[] => [
    box(MARGIN, from + (index + 1) * LINE - 9, 9, 9, INK.pending),
    text(MARGIN + 14, from + (index + 1) * LINE, pod.id, 11, INK.text),
  ]);
  return {
    bottom: from + waiting.length * LINE,
    shapes: [text(MARGIN, from, strings.report.pending, 13, INK.text, 'bold'), ...lines],
  };
}

const box = (x: number, y: number, width: number, height: number, fill: string): SvgShape => ({
  is: 'box',
  x,
  y,
  width,
  height,
  fill,
});

const text = (x: number, y: number, words: string, size: number, fill: string, weight?: 'bold'): SvgShape => ({
  is: 'text',
  x,
  y,
  text: words,
  size,
  fill,
  ...(weight && { bold: true }),
});

/** Cut where it would be too wide, with letters taken as 0.6 of their size wide. */
function fitting(words: string, width: number, size: number): string {
  const most = Math.floor(width / (0.6 * size));
  return words.length <= most ? words : `${words.slice(0, most - 1)}…`;
}

export function svgOf({ width, height, shapes }: Picture): string {
  const drawn = shapes.map(it =>
    it.is === 'box'
      ? `<rect x="${rounded(it.x)}" y="${rounded(it.y)}" width="${rounded(it.width)}" height="${rounded(it.height)}" fill="${it.fill}"/>`
      : `<text x="${rounded(it.x)}" y="${rounded(it.y)}" font-size="${it.size}"${it.bold ? ' font-weight="600"' : ''} fill="${it.fill}">${escaped(it.text)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}">`,
    `<rect width="${width}" height="${height}" fill="${INK.page}"/>`,
    ...drawn,
    '</svg>\n',
  ].join('\n');
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (words: string): string => words.replace(/[&<>"]/g, it => ENTITIES[it] ?? it);

/** Browsers refuse canvases that are larger. */
const MOST_PIXELS = 16_000;

/** base64 of a PNG, twice as fine as the screen where that is not too large. */
export function pngOf({ width, height, shapes }: Picture): string {
  const scale = Math.min(2, MOST_PIXELS / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  const context = canvas.getContext('2d');
  if (context === null) return '';
  context.scale(scale, scale);
  context.fillStyle = INK.page;
  context.fillRect(0, 0, width, height);
  for (const it of shapes) {
    context.fillStyle = it.fill;
    if (it.is === 'box') {
      context.fillRect(it.x, it.y, it.width, it.height);
    } else {
      context.font = `${it.bold ? '600 ' : ''}${it.size}px ${FONT}`;
      context.fillText(it.text, it.x, it.y);
    }
  }
  return canvas.toDataURL('image/png').replace(/^[^,]*,/, '');
}
