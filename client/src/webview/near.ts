import { useEffect, useRef, useState } from 'preact/hooks';

/** How far out of sight something is drawn already. */
const AHEAD = '600px 0px';

interface Near {
  readonly ref: { current: HTMLDivElement | null };
  readonly isNear: boolean;
  /** What it measured when it was last drawn, in pixels; absent: it never was. */
  readonly height: number | undefined;
}

/** Whether an element is in sight or soon will be; everything is where there is little to draw. */
export function useNear(wanted: 'always' | 'whenNear'): Near {
  const ref = useRef<HTMLDivElement>(null);
  const height = useRef<number | undefined>(undefined);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const { current } = ref;
    if (current === null || wanted === 'always') return;
    const observer = new IntersectionObserver(
      entries => {
        const now = entries.at(-1)?.isIntersecting ?? false;
        if (!now) height.current = current.offsetHeight;
        setNear(now);
      },
      { root: current.closest('.board'), rootMargin: AHEAD },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [wanted]);
  return { ref, isNear: wanted === 'always' || isNear, height: height.current };
}
