const MARGIN = 12;

/** Scrolls one element so far that another one in it is in sight, and nothing around it. */
export function keepInSight(scroller: Element, element: Element): void {
  const [frame, box] = [scroller.getBoundingClientRect(), element.getBoundingClientRect()];
  const by = (start: number, end: number, low: number, high: number): number => {
    if (start < low + MARGIN) return start - low - MARGIN;
    return end > high - MARGIN ? Math.min(end - high + MARGIN, start - low - MARGIN) : 0;
  };
  scroller.scrollTop += by(box.top, box.bottom, frame.top, frame.bottom);
  scroller.scrollLeft += by(box.left, box.right, frame.left, frame.right);
}
