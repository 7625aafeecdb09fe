import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { GraphPicture, PicturedEdge, StateGraphModel } from '../../../../server/src/analysis/stateGraph';
import { Icon } from '../icons';
import { graphStrings as words } from '../text/graphStrings';
import { curveOf, isBad, LINE_HEIGHT, markOf, marksInWords, outlineOf } from './shapes';
import { keepInSight } from './sight';
import { isDirection, neighbour, stepsOfWay } from './view';

interface Props {
  readonly graph: StateGraphModel;
  /** States that the filter lets through. */
  readonly matches: ReadonlySet<number>;
  readonly chosen: number | undefined;
  readonly onSelect: (state: number) => void;
}

const ZOOMS = [0.1, 0.17, 0.25, 0.35, 0.5, 0.7, 0.85, 1, 1.25, 1.6, 2] as const;
const MARGIN = 8;

/** The graph in a window that scrolls, with its legend. */
export function Picture(props: Props) {
  const { graph, chosen } = props;
  const { picture } = graph;
  const scroller = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useZoom(scroller, graph);
  useChosenInWindow(scroller, chosen, zoom);
  if (picture === undefined) return <p class="hint board">{words.noPicture}</p>;
  const step = (by: 1 | -1): void => {
    const [next] = by > 0 ? ZOOMS.filter(it => it > zoom * 1.01) : ZOOMS.filter(it => it < zoom * 0.99).reverse();
    if (next !== undefined) setZoom(next);
  };
  return (
    <div class="picture">
      <div class="picture-bar">
        <Legend />
        <span class="zoom">
          <button type="button" aria-label={words.smaller} title={words.smaller} onClick={() => step(-1)}>
            <Icon name="dash" />
          </button>
          <button type="button" aria-label={words.larger} title={words.larger} onClick={() => step(1)}>
            <Icon name="plus" />
          </button>
          <button type="button" class="secondary" onClick={() => setZoom('fit')}>
            {words.fit}
          </button>
        </span>
      </div>
      <div class="picture-scroller" ref={scroller} data-scroller="picture">
        <Drawing {...props} picture={picture} zoom={zoom} />
      </div>
    </div>
  );
}

type Scroller = { readonly current: HTMLElement | null };

/** The text is read without a glass first; a button fits the whole picture into the window. */
function useZoom(scroller: Scroller, graph: StateGraphModel): readonly [number, (zoom: number | 'fit') => void] {
  const { picture } = graph;
  const [chosen, setChosen] = useState<number | 'fit' | undefined>(undefined);
  const [room, setRoom] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setRoom({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, [picture === undefined]);
  if (typeof chosen === 'number') return [chosen, setChosen];
  if (picture === undefined || room.width === 0) return [1, setChosen];
  const across = room.width / (picture.width + 2 * MARGIN);
  const down = room.height / (picture.height + 2 * MARGIN);
  const fit = Math.max(ZOOMS[0], Math.min(1, across, down));
  const readable = graph.states.some(it => it.lines.length > 0) ? READABLE.text : READABLE.numbers;
  return [chosen === 'fit' ? fit : Math.min(1, Math.max(fit, readable)), setChosen];
}

/** Smaller than so the picture does not become by itself: it scrolls. */
const READABLE = { text: 0.85, numbers: 0.6 };

/** Scrolls the picture alone: the page stays as it is. */
function useChosenInWindow(scroller: Scroller, chosen: number | undefined, zoom: number) {
  useLayoutEffect(() => {
    const window = scroller.current;
    const state = chosen === undefined ? undefined : window?.querySelector(`[data-state="${chosen}"]`);
    if (window && state) keepInSight(window, state);
  }, [chosen, zoom]);
}

interface DrawingProps extends Props {
  readonly picture: GraphPicture;
  readonly zoom: number;
}

function Drawing({ graph, picture, matches, chosen, zoom, onSelect }: DrawingProps) {
  const root = useRef<SVGSVGElement>(null);
  const onWay = useMemo(() => stepsOfWay(graph), [graph]);
  const places = useMemo(() => new Set(graph.way.map(it => it.at)), [graph]);
  const found = graph.finding === undefined ? undefined : graph.way.at(-1)?.at;
  const [width, height] = [picture.width + 2 * MARGIN, picture.height + 2 * MARGIN];
  const onKeyDown = (event: KeyboardEvent): void => {
    if (chosen === undefined || !isDirection(event.key) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const to = neighbour(picture, chosen, event.key);
    if (to === undefined) return;
    onSelect(to);
    root.current?.querySelector<SVGGElement>(`[data-state="${to}"]`)?.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot hold a picture.
    <svg
      ref={root}
      role="group"
      aria-label={`${words.picture}. ${words.pictureHelp}`}
      width={width * zoom}
      height={height * zoom}
      viewBox={`${-MARGIN} ${-MARGIN} ${width} ${height}`}
      onKeyDown={onKeyDown}
    >
      <defs>
        {['plain', 'way'].map(it => (
          <marker
            key={it}
            id={`tip-${it}`}
            class={`tip ${it}`}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M0 0.5 8 4 0 7.5z" />
          </marker>
        ))}
      </defs>
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can have the focus. */}
      <g aria-hidden="true">
        {graph.transitions.map(({ from, to, labels }, i) => (
          <Edge
            key={`${from} ${to}`}
            edge={picture.edges[i]!}
            labels={labels}
            isOnWay={onWay.has(`${from} ${to}`)}
            isFaded={!matches.has(from) || !matches.has(to)}
            isLooked={from === chosen || to === chosen}
          />
        ))}
      </g>
      {graph.states.map((_, i) => (
        <State
          key={i}
          {...{ graph, picture, onSelect }}
          index={i}
          isOnWay={places.has(i)}
          isFound={found === i}
          isChosen={i === chosen}
          isFaded={!matches.has(i)}
          isEntry={i === (chosen ?? 0)}
        />
      ))}
    </svg>
  );
}

interface EdgeProps {
  readonly edge: PicturedEdge;
  readonly labels: readonly string[];
  readonly isOnWay: boolean;
  readonly isFaded: boolean;
  /** Whether it begins or ends at the state that is looked at. */
  readonly isLooked: boolean;
}

function Edge({ edge, labels, isOnWay, isFaded, isLooked }: EdgeProps) {
  const middle = edge.label ?? (isLooked ? edge.curve[Math.floor(edge.curve.length / 2)] : undefined);
  const top = middle && middle.y - ((labels.length - 1) * LINE_HEIGHT) / 2;
  return (
    <g class={`edge${isOnWay ? ' way' : ''}${isFaded ? ' faded' : ''}`}>
      <path d={curveOf(edge)} marker-end={`url(#tip-${isOnWay ? 'way' : 'plain'})`} />
      {middle && (
        <text x={middle.x} y={top} class={edge.label ? '' : 'over'}>
          {labels.map((it, i) => (
            <tspan key={it} x={middle.x} dy={i === 0 ? 0 : LINE_HEIGHT}>
              {it}
            </tspan>
          ))}
        </text>
      )}
    </g>
  );
}

interface StateProps extends Pick<Props, 'graph' | 'onSelect'> {
  readonly picture: GraphPicture;
  readonly index: number;
  readonly isOnWay: boolean;
  readonly isFound: boolean;
  readonly isChosen: boolean;
  readonly isFaded: boolean;
  /** Whether the Tab key leads here. */
  readonly isEntry: boolean;
}

function State({ graph, picture, index, isOnWay, isFound, isChosen, isFaded, isEntry, onSelect }: StateProps) {
  const { lines, kind } = graph.states[index]!;
  const node = picture.nodes[index]!;
  const { x } = node;
  const top = node.y - node.height / 2;
  const marks = { isInitial: index === 0, kind, isFound };
  const classes = [
    'state',
    ...(isBad(marks) ? ['bad'] : []),
    ...(isOnWay ? ['way'] : []),
    ...(isFaded ? ['faded'] : []),
  ];
  const mark = markOf(marks);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button cannot be part of a picture.
    <g
      role="button"
      class={classes.join(' ')}
      data-state={index}
      tabindex={isEntry ? 0 : -1}
      aria-pressed={isChosen}
      aria-label={[...marksInWords(marks), words.state(index + 1), ...lines].join(', ')}
      onClick={() => onSelect(index)}
      onKeyDown={event => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        onSelect(index);
      }}
      onFocus={() => !isChosen && onSelect(index)}
    >
      <path class="box" d={outlineOf(node, isBad(marks) ? 'octagon' : 'box', 0)} />
      {kind === 'end' && <path class="inner" d={outlineOf(node, 'box', 3)} />}
      {mark && (
        <path class="mark-shape" d={mark} transform={`translate(${x - node.width / 2 + 5} ${top + 5}) scale(0.9)`} />
      )}
      <text>
        {[String(index + 1), ...lines].map((it, i) => (
          <tspan key={`${i}`} x={x} y={top + 7 + LINE_HEIGHT * (i + 0.75)} class={i === 0 ? 'number' : ''}>
            {it}
            <tspan class="gap"> </tspan>
          </tspan>
        ))}
      </text>
    </g>
  );
}

function Legend() {
  const { initial, bad, end, way } = words.legend;
  return (
    <ul class="legend" aria-hidden="true">
      <li>
        <Icon name="start" />
        {initial}
      </li>
      <li class="bad">
        <Icon name="cross" />
        {bad}
      </li>
      <li>
        <span class="swatch end" /> {end}
      </li>
      <li>
        <span class="swatch way" /> {way}
      </li>
    </ul>
  );
}
