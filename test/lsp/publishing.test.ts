import { describe, expect, test } from 'vitest';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { createPublishing } from '../../server/src/lsp/publishing';
import type { Problem } from '../../server/src/rules/framework/problem';
import { readPack } from '../support/packs';
import { startClient } from './client';

const NODE =
  'apiVersion: v1\nkind: Node\nmetadata: { name: n1, labels: { disk: ssd } }\nstatus: { allocatable: { cpu: "4", memory: 8Gi, pods: "110" } }\n';
const POD =
  'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  nodeSelector: { disk: hdd }\n  containers: [{ name: web }]\n';
const uri = 'file:///ws/pod.yaml';

/** A publisher whose rests end when the test says so. */
function publisher(files: Readonly<Record<string, string>>, fails: (uri: string) => boolean = () => false) {
  const host = createAnalysisHost({
    readPack,
    onBug: (code, error) => {
      throw new Error(`${code}: ${error}`);
    },
  });
  const sent: { readonly uri: string; readonly told: readonly string[] }[] = [];
  const rests: (() => void)[] = [];
  const bugs: string[] = [];
  const released = new Set<string>();
  const state = { turns: 0, time: 0, perLook: 0, slices: 0 };
  const {
    soon,
    waitForOpenFiles: giveWay,
    isTyping,
  } = createPublishing({
    analysis: () => host.analysis(),
    isOpen: it => it === uri,
    isListed: () => true,
    hasStarted: () => true,
    place: async () => true,
    async yieldToEventLoop() {
      state.turns += 1;
      state.slices += 1;
      await new Promise(resolve => setImmediate(resolve));
      state.turns -= 1;
    },
    now: () => (state.time += state.perLook),
    release(it) {
      released.add(it);
      host.analysis().release(it);
    },
    pause: () => new Promise<void>(resolve => void rests.push(resolve)),
    withNote: (_, work) => work(),
    onBug: (uri, error) => bugs.push(`${uri}: ${error}`),
    send(uri, problems) {
      if (fails(uri)) throw new Error('a bug');
      sent.push({ uri, told: problems.map(it => shown(it, host.analysis().text(uri) ?? '')) });
    },
  });
  const change = (texts: Readonly<Record<string, string>>): void => {
    host.apply({ files: Object.entries(texts).map(([uri, text]) => ({ uri, text })) });
    soon(Object.keys(texts));
  };
  change(files);
  return {
    change,
    giveWay,
    isTyping,
    pass(milliseconds: number): void {
      state.time += milliseconds;
    },
    /** Each look at the clock takes a second, so that a slice is over after each step. */
    slowDown(): void {
      state.perLook = 1_000;
    },
    slices: () => state.slices,
    sent,
    rests,
    bugs,
    released,
    /** How many turns of background work wait to go on. */
    turns: () => state.turns,
    lastTold: () => sent.findLast(it => it.uri === uri)?.told ?? [],
  };
}

const shown = ({ code, span }: Problem, text: string): string => `${code}: ${text.slice(span.start, span.end)}`;

const REQUIRED = 'apiserver/required: name';
const SELECTOR = 'placement/selector-matches-no-node: disk: hdd';

describe('problems from the scheduler are published later', () => {
  const files = { 'file:///ws/node.yaml': NODE, [uri]: POD };

  test('a bug in one file is reported, and other files and later changes are published', async () => {
    const { change, sent, bugs } = publisher(files, it => it.endsWith('node.yaml'));
    await expect.poll(() => sent.map(it => it.uri)).toContain(uri);
    await expect.poll(() => bugs).toContain('file:///ws/node.yaml: Error: a bug');
    const before = sent.length;
    change({ [uri]: POD.replace('name: web', 'name: Web') });
    await expect.poll(() => sent.length).toBeGreaterThan(before);
  });

  test('cached results are freed for closed files only', async () => {
    const { released, rests, lastTold } = publisher({ ...files, 'file:///ws/other.yaml': POD.replace('web', 'other') });
    await expect.poll(() => rests).toHaveLength(1);
    rests[0]?.();
    await expect.poll(() => [...released].sort()).toEqual(['file:///ws/node.yaml', 'file:///ws/other.yaml']);
    expect(lastTold()).toContain(SELECTOR);
  });

  test('quick problems are published at once, the others after a pause', async () => {
    const { lastTold, rests } = publisher(files);
    await expect.poll(() => lastTold()).toEqual([REQUIRED]);
    await expect.poll(() => rests).toHaveLength(1);
    expect(lastTold()).toEqual([REQUIRED]);
    rests[0]?.();
    await expect.poll(() => lastTold()).toEqual(expect.arrayContaining([REQUIRED, SELECTOR]));
  });

  test('a change during the pause is published at once and starts another pause', async () => {
    const { change, rests, lastTold, sent } = publisher(files);
    await expect.poll(() => rests).toHaveLength(1);
    const before = sent.length;
    change({ [uri]: `# typed\n${POD}` });
    await expect.poll(() => rests).toHaveLength(2);
    expect(sent.slice(before).map(it => it.told)).toEqual([[REQUIRED]]);
    rests[0]?.();
    rests[1]?.();
    await expect.poll(() => lastTold()).toContain(SELECTOR);
  });

  test('until the next run the last problems move with their text, and disappear where it is edited', async () => {
    const { change, rests, lastTold } = publisher(files);
    await expect.poll(() => rests).toHaveLength(1);
    rests[0]?.();
    await expect.poll(() => lastTold()).toContain(SELECTOR);
    change({ [uri]: `# typed\n${POD}` });
    await expect.poll(() => rests).toHaveLength(2);
    expect(lastTold()).toContain(SELECTOR);
    change({ [uri]: `# typed\n${POD.replace('hdd', 'hd')}` });
    await expect.poll(() => rests).toHaveLength(3);
    expect(lastTold().filter(it => it.startsWith('placement/selector'))).toEqual([]);
  });

  test('a problem that another file fixes disappears', async () => {
    const { change, rests, lastTold } = publisher(files);
    await expect.poll(() => rests).toHaveLength(1);
    rests[0]?.();
    await expect.poll(() => lastTold()).toContain(SELECTOR);
    change({ 'file:///ws/node.yaml': NODE.replace('ssd', 'hdd'), [uri]: POD });
    await expect.poll(() => rests).toHaveLength(2);
    rests[1]?.();
    await expect.poll(() => lastTold()).toEqual([REQUIRED]);
  });

  test('background work continues after the problems of a changed open file are published', async () => {
    const { change, giveWay, sent } = publisher({});
    const given = giveWay();
    change({ [uri]: POD });
    await given;
    expect(sent.map(it => it.uri)).toEqual([uri]);
  });

  test('the user counts as typing for a while after an open file has changed', () => {
    const { change, isTyping, pass } = publisher({ 'file:///ws/node.yaml': NODE });
    expect(isTyping()).toBe(false);
    change({ [uri]: POD });
    expect(isTyping()).toBe(true);
    pass(5_000);
    expect(isTyping()).toBe(false);
  });

  test('there is no pause where no nodes are known', async () => {
    const { rests, sent, turns } = publisher({ [uri]: POD });
    await expect.poll(() => sent).toHaveLength(1);
    await expect.poll(() => turns()).toBe(0);
    expect(rests).toEqual([]);
    expect(sent).toHaveLength(1);
  });
});

describe('a long file is published in slices', () => {
  const long = Array.from({ length: 50 }, (_, i) => `${POD.replace('web }', `web${i} }`)}---\n`).join('');

  test('other work goes on after each object', async () => {
    const { change, slowDown, slices, sent } = publisher({});
    slowDown();
    const before = slices();
    change({ [uri]: long });
    await expect.poll(() => sent).toHaveLength(1);
    expect(slices() - before).toBeGreaterThan(50);
    expect(sent[0]?.told).toEqual(Array.from({ length: 50 }, () => REQUIRED));
  });

  test('the scheduler is asked for the problems of each object in a slice of its own, too', async () => {
    const { slowDown, slices, rests, lastTold } = publisher({ 'file:///ws/node.yaml': NODE, [uri]: long });
    await expect.poll(() => rests).toHaveLength(1);
    slowDown();
    const before = slices();
    rests[0]?.();
    await expect.poll(() => lastTold().filter(it => it === SELECTOR)).toHaveLength(50);
    expect(slices() - before).toBeGreaterThan(50);
  });

  test('after a change between two slices the problems of the new text alone are published', async () => {
    const { change, slowDown, slices, sent } = publisher({});
    slowDown();
    const before = slices();
    change({ [uri]: long });
    while (slices() - before < 10) await new Promise(resolve => setImmediate(resolve));
    change({ [uri]: POD });
    await expect.poll(() => sent).toEqual([{ uri, told: [REQUIRED] }]);
  });
});

describe('the language server', () => {
  const hasSelector = (all: readonly { readonly code: string }[]): boolean =>
    all.some(it => it.code === 'placement/selector-matches-no-node');

  test('publishes a selector that matches no node, and removes the problem when another program relabels the node', async () => {
    const files: Record<string, string> = { 'file:///ws/node.yaml': NODE };
    const client = await startClient({ files });
    client.open(uri, POD);
    const found = await client.diagnostics(uri, hasSelector);
    expect(found.find(it => it.code.endsWith('matches-no-node'))).toMatchObject({
      message: 'none of the 1 node has the label disk=hdd; nodes have disk=ssd',
      range: { start: { line: 4, character: 18 } },
    });
    files['file:///ws/node.yaml'] = NODE.replace('ssd', 'hdd');
    void client.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: 'file:///ws/node.yaml', type: 2 }],
    });
    const left = await client.diagnostics(uri, it => !hasSelector(it));
    expect(left.map(it => it.code)).toEqual(['apiserver/required']);
  });

  test('does not publish again what an open file is known to have', async () => {
    const told: string[] = [];
    const files: Record<string, string> = { 'file:///ws/node.yaml': NODE };
    const client = await startClient({
      files,
      onDiagnostics: it => void (it.uri === uri && told.push(it.diagnostics.map(({ code }) => code).join())),
    });
    client.open(uri, POD);
    await client.diagnostics(uri, hasSelector);
    files['file:///ws/node.yaml'] = NODE.replace('ssd', 'hdd');
    void client.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: 'file:///ws/node.yaml', type: 2 }],
    });
    await client.diagnostics(uri, it => !hasSelector(it));
    expect(told.filter((it, i) => it === told[i - 1])).toEqual([]);
  });
});
