import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PreviewFit, PreviewNode, PreviewPod } from '../../../../server/src/analysis/previewModel';
import { Icon } from '../icons';
import { Menu } from '../menu';
import { zonesOf } from '../state/selectors';
import { strings } from '../text/strings';

/** Asks whether a Pod would fit on a node. */
export const TryOn = createContext<(pod: string, node: string) => void>(() => undefined);

/** The answer for the Pod that was tried last; a region that speaks is there before it has something to say. */
export function FitAnswer({ fit, onClose }: { readonly fit: PreviewFit | undefined; readonly onClose: () => void }) {
  const words = strings.fit;
  return (
    <section class={fit ? `fit ${fit.fits ? 'fits' : 'fits-not'}` : 'sr-only'} aria-label={words.label}>
      {fit && <Icon name={fit.fits ? 'check' : 'cross'} />}
      <p role="status">
        {fit?.summary}
        {fit && fit.words.length > 0 && <span class="quiet"> {words.words(fit.words.join('; '))}</span>}
      </p>
      {fit && (
        <button type="button" class="secondary" data-key="fit-close" onClick={onClose}>
          {words.close}
        </button>
      )}
    </section>
  );
}

/** What a Pod that is not written by mouse needs: a list of all nodes. */
export function TryOnMenu({ pod, nodes }: { readonly pod: PreviewPod; readonly nodes: readonly PreviewNode[] }) {
  const onTryOn = useContext(TryOn);
  const options = zonesOf(nodes).flatMap(it => it.nodes.map(node => [node.name, node.name] as const));
  return (
    <span title={strings.fit.hint}>
      <Menu name="try-on" label={strings.fit.menu} options={options} onPick={node => onTryOn(pod.id, node)} />
    </span>
  );
}

const POD = 'application/x-berth-pod';

/** Makes an element one that a Pod is dragged by. */
export const dragging = (pod: string) => ({
  draggable: true,
  onDragStart: ({ dataTransfer }: DragEvent) => {
    dataTransfer?.setData(POD, pod);
    if (dataTransfer) dataTransfer.effectAllowed = 'link';
  },
});

const nodeElementAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-node]') : null;

function mark(board: HTMLElement, target: HTMLElement | null): void {
  for (const it of board.querySelectorAll('.is-target')) if (it !== target) it.classList.remove('is-target');
  target?.classList.add('is-target');
}

/** Handlers of what holds nodes, each in an element with `data-node`: a Pod that is dropped on one is tried there. */
export function useDropOnNodes() {
  const onTryOn = useContext(TryOn);
  return {
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer?.types.includes(POD)) return;
      const target = nodeElementAt(event.target);
      mark(event.currentTarget as HTMLElement, target);
      if (target === null) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'link';
    },
    onDragLeave: (event: DragEvent) => mark(event.currentTarget as HTMLElement, null),
    onDrop(event: DragEvent) {
      mark(event.currentTarget as HTMLElement, null);
      const node = nodeElementAt(event.target)?.dataset.node;
      const pod = event.dataTransfer?.getData(POD);
      if (!node || !pod) return;
      event.preventDefault();
      onTryOn(pod, node);
    },
  };
}
