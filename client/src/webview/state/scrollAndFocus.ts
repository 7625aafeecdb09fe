import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Host } from './vscodeApi';

type Root = { readonly current: HTMLElement | null };

/** Restores scroll positions: VS Code discards the page of a hidden tab. */
export function useKeptScroll(root: Root, host: Host) {
  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return;
    const scroll = new Map(Object.entries(host.kept().scroll));
    for (const scroller of element.querySelectorAll<HTMLElement>('[data-scroller]')) {
      scroller.scrollTop = scroll.get(scroller.dataset.scroller ?? '') ?? 0;
    }
    let timer: number | undefined;
    const onScroll = ({ target }: Event) => {
      if (!(target instanceof HTMLElement) || target.dataset.scroller === undefined) return;
      scroll.set(target.dataset.scroller, target.scrollTop);
      clearTimeout(timer);
      timer = setTimeout(() => host.keep({ scroll: Object.fromEntries(scroll) }), 200);
    };
    element.addEventListener('scroll', onScroll, true);
    return () => {
      clearTimeout(timer);
      element.removeEventListener('scroll', onScroll, true);
    };
  }, [root, host]);
}

/** Keys of an element and of what it is in, from the inside. */
function keysAround(target: EventTarget | null): readonly string[] {
  const keys: string[] = [];
  for (let it = target instanceof Element ? target : null; it !== null; it = it.parentElement) {
    const key = it instanceof HTMLElement ? it.dataset.key : undefined;
    if (key !== undefined) keys.push(key);
  }
  return keys;
}

const FOCUSABLE = ':is(button, input, select, summary, [tabindex]):not(:disabled)';

/**
 * Keeps the focus on an element that is rendered elsewhere. When it is gone, the nearest remaining element around it gets the
 * focus, and at last the tab of the view, so that the user does not start at the top of the page.
 */
export function useKeptFocus(root: Root) {
  const keys = useRef<readonly string[]>([]);
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      keys.current = keysAround(target);
    };
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, []);
  useLayoutEffect(() => {
    const { activeElement } = document;
    const isLost = activeElement === document.body || activeElement?.matches(':disabled');
    if (!isLost || keys.current.length === 0 || !document.hasFocus()) return;
    // The card of a node that is taken down disappears: the button that takes it back is nearer than the rest of the view.
    for (const key of keys.current.flatMap(it => (it === 'stage' ? ['reset', it] : [it]))) {
      const keyed = root.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
      const target = keyed?.matches(FOCUSABLE) ? keyed : keyed?.querySelector<HTMLElement>(FOCUSABLE);
      if (target) return target.focus({ preventScroll: key === keys.current[0] });
    }
    root.current?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
  });
}

/** When another Pod is chosen, scrolls to it in the list, and to the card of its node unless the focus is among the cards. */
export function useChosenInSight(root: Root, chosen: string | undefined) {
  const seen = useRef<string | undefined>(undefined);
  useEffect(() => {
    const { current } = root;
    if (current === null || chosen === undefined) return;
    const details = current.querySelector('.below');
    if (seen.current !== undefined && details !== null) details.scrollTop = 0;
    seen.current = chosen;
    scrollWithin(
      current.querySelector('[role="tree"]'),
      current.querySelector('[role="treeitem"][aria-selected="true"]'),
    );
    const board = current.querySelector('.board');
    if (board?.contains(document.activeElement)) return;
    scrollWithin(board, current.querySelector('.card.winner, .card.nominated, .card.here, .card.evicted'));
  }, [root, chosen]);
}

/** Scrolls one scroller alone, never the page around it. */
function scrollWithin(scroller: Element | null, target: Element | null) {
  if (scroller === null || target === null || scroller.scrollHeight <= scroller.clientHeight) return;
  const outer = scroller.getBoundingClientRect();
  const inner = target.getBoundingClientRect();
  if (inner.top < outer.top) scroller.scrollTop -= outer.top - inner.top + 8;
  else if (inner.bottom > outer.bottom)
    scroller.scrollTop += Math.min(inner.bottom - outer.bottom + 8, inner.top - outer.top);
}
