import { describe, expect, it } from 'vitest';
import type { ComparisonQuestion } from '../../server/src/analysis/preview/comparison';
import type { PreviewComparison } from '../../server/src/analysis/preview/model';
import { createComparer, type FromComparer, type ToThread } from '../../server/src/lsp/comparing/comparer';

interface Thread {
  readonly heard: ToThread[];
  readonly tell: (message: FromComparer) => void;
  isEnded: boolean;
}

/** A comparer whose threads are those of the test; time passes when `pass` is called. */
function comparing() {
  const threads: Thread[] = [];
  const waits: (() => void)[] = [];
  const breaths = { count: 0 };
  const comparer = createComparer({
    start(tell) {
      const thread: Thread = { heard: [], tell, isEnded: false };
      threads.push(thread);
      return {
        post: message => thread.heard.push(message),
        end: () => {
          thread.isEnded = true;
        },
      };
    },
    yieldToEventLoop: async () => {
      breaths.count += 1;
    },
    pause: () => new Promise<void>(resolve => waits.push(resolve)),
  });
  const pass = async (): Promise<void> => {
    for (const it of waits.splice(0)) it();
    await settled();
  };
  /** A question that the latest thread answers. */
  const ask = async (): Promise<void> => {
    const asked = comparer.compare(question(), () => undefined, wanting().token);
    await settled();
    threads.at(-1)!.tell({ end: true });
    await asked;
  };
  return { comparer, threads, pass, breaths, ask };
}

const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

const question = (count = 1): ComparisonQuestion => ({
  inputs: {
    objects: Array.from({ length: count }, (_, i) => ({ kind: 'Node', metadata: { name: `n${i}` } })),
    kubernetesVersion: '1.37',
    gatesOn: [],
    featureGates: {},
  },
  changes: [],
});

const known = (...pods: readonly string[]): PreviewComparison => ({
  strategies: ['pack', 'optimal'],
  pods,
  nodes: [],
  done: [],
  seconds: 10,
});

function wanting() {
  const listeners = new Set<() => void>();
  const token = {
    isCancellationRequested: false,
    onCancellationRequested(listener: () => void) {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
  };
  const cancel = (): void => {
    token.isCancellationRequested = true;
    for (const it of listeners) it();
  };
  return { token, cancel, listeners };
}

describe('a thread that compares placements', () => {
  it('gets its objects in parts, so that messages of the editor are handled in between', async () => {
    const { comparer, threads, breaths } = comparing();
    const told: PreviewComparison[] = [];
    const asked = comparer.compare(question(450), it => told.push(it), wanting().token);
    await settled();
    const [thread] = threads;
    expect(thread!.heard.map(it => ('objects' in it ? it.objects.length : 'ask'))).toEqual([200, 200, 50, 'ask']);
    expect(breaths.count).toBe(3);
    expect(JSON.stringify(thread!.heard.at(-1))).not.toContain('n449');
    thread!.tell({ comparison: known('a') });
    thread!.tell({ end: true });
    await asked;
    expect(told).toEqual([known('a')]);
  });

  it('is used again when it is done', async () => {
    const { threads, ask } = comparing();
    await ask();
    await ask();
    expect(threads.map(it => [it.heard.length, it.isEnded])).toEqual([[4, false]]);
  });

  it('ends with a new question, and only that one is reported', async () => {
    const { comparer, threads } = comparing();
    const told: PreviewComparison[] = [];
    const first = comparer.compare(question(), it => told.push(it), wanting().token);
    await settled();
    const second = comparer.compare(question(), it => told.push(it), wanting().token);
    await first;
    expect(threads.map(it => it.isEnded)).toEqual([true, false]);
    await settled();
    threads[0]!.tell({ comparison: known('old') });
    threads[1]!.tell({ comparison: known('new') });
    threads[1]!.tell({ end: true });
    await second;
    expect(told).toEqual([known('new')]);
  });

  it('ends when the question is cancelled', async () => {
    const { comparer, threads } = comparing();
    const { token, cancel, listeners } = wanting();
    const asked = comparer.compare(question(1000), () => undefined, token);
    cancel();
    await asked;
    await settled();
    expect(threads[0]!.isEnded).toBe(true);
    expect(threads[0]!.heard.some(it => 'ask' in it)).toBe(false);
    expect(listeners.size).toBe(0);
  });

  it('ends after a while without questions', async () => {
    const { threads, pass, ask } = comparing();
    await ask();
    await pass();
    expect(threads[0]!.isEnded).toBe(true);
    await ask();
    expect(threads).toHaveLength(2);
  });

  it('is started again after a failure without a question', async () => {
    const { threads, ask } = comparing();
    await ask();
    threads[0]!.tell({ failure: 'It went away.' });
    await ask();
    // The old one is nobody's business any more.
    threads[0]!.tell({ failure: 'It went away again.' });
    await ask();
    expect(threads.map(it => it.isEnded)).toEqual([true, false]);
  });

  it('reports its failure with the partial result', async () => {
    const { comparer, threads } = comparing();
    const told: PreviewComparison[] = [];
    const asked = comparer.compare(question(), it => told.push(it), wanting().token);
    await settled();
    threads[0]!.tell({ comparison: known('a') });
    threads[0]!.tell({ failure: 'it went away' });
    await asked;
    expect(told.at(-1)).toEqual({ ...known('a'), failure: 'The placements could not be compared: it went away.' });
    expect(threads[0]!.isEnded).toBe(true);
  });
});
