/** Scrolls one element so that another one in it is in its middle, unless it is in sight, and nothing around it. */
export function keepInSight(scroller: Element, element: Element): void {
  const [frame, box] = [scroller.getBoundingClientRect(), element.getBoundingClientRect()];
  const by = (start: number, end: number, low: number, high: number): number =>
    start >= low && end <= high ? 0 : (start + end - low - high) / 2;
  scroller.scrollTop += by(box.top, box.bottom, frame.top, frame.bottom);
  scroller.scrollLeft += by(box.left, box.right, frame.left, frame.right);
}
