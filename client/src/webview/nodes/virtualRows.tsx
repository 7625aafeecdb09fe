import { type ComponentChildren, Fragment } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface Props {
  readonly count: number;
  /** Of each row, in pixels. */
  readonly height: number;
  readonly scroller: { readonly current: HTMLElement | null };
  /** A row that is drawn even where it is out of sight, as the keyboard must reach it; -1: none. */
  readonly always: number;
  readonly children: (index: number) => ComponentChildren;
}

/** Rows before and after those in sight, so that fast scrolling shows no gap. */
const MARGIN = 20;
/** Fewer rows than these are all drawn. */
const FEW = 200;

/** The rows in sight of a long list of equally high ones, with room for the others. */
export function VirtualRows({ count, height, scroller, always, children }: Props) {
  const top = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState<readonly [number, number]>([0, FEW]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || count <= FEW) return;
    const update = () => {
      const above = element.getBoundingClientRect().top - (top.current?.getBoundingClientRect().top ?? 0);
      // In steps, so that most scrolling renders nothing.
      const first = Math.max(0, Math.floor(above / height / MARGIN) * MARGIN - MARGIN);
      const last = first + Math.ceil(element.clientHeight / height / MARGIN) * MARGIN + 3 * MARGIN;
      setRange(now => (now[0] === first && now[1] === last ? now : [first, last]));
    };
    update();
    element.addEventListener('scroll', update, { passive: true });
    window.addEventListener('resize', update);
    return () => {
      element.removeEventListener('scroll', update);
      window.removeEventListener('resize', update);
    };
  }, [scroller, count, height]);
  const [first, last] = count <= FEW ? [0, count] : [Math.min(range[0], count), Math.min(range[1], count)];
  const indexes = Array.from({ length: last - first }, (_, at) => first + at);
  const before = always >= 0 && always < first ? [always] : [];
  const after = always >= last ? [always] : [];
  const space = (rows: number) => <div role="presentation" style={{ height: `${rows * height}px` }} />;
  return (
    <Fragment>
      <div role="presentation" ref={top} />
      {before.length > 0 && space(always)}
      {before.map(children)}
      {space(first - (before.length > 0 ? always + 1 : 0))}
      {indexes.map(children)}
      {space((after.length > 0 ? always : count) - last)}
      {after.map(children)}
      {after.length > 0 && space(count - always - 1)}
    </Fragment>
  );
}
