import { beforeEach, expect, it, vi } from 'vitest';
import type { AnalysisHost } from '../../server/src/analysis/analysis';
import { defaultSettings } from '../../server/src/analysis/configuration/settings';
import { createAnalysisHost } from '../../server/src/analysis/host';
import type * as View from '../../server/src/workspace/view';
import { readPack } from '../support/packs';
import { throwBug } from '../support/throwBug';

const made = await vi.hoisted(async () => {
  const { inPlaceOf } = await import('../support/inPlaceOf');
  const made = { subsets: 0, asked: 0 };
  inPlaceOf('workspace/view', (real: typeof View) => ({
    snapshotSubset(snapshot, subset) {
      made.subsets += 1;
      const includes = (uri: string): boolean => {
        made.asked += 1;
        return subset.includes(uri);
      };
      return real.snapshotSubset(snapshot, { ...subset, includes });
    },
  }));
  return made;
});

beforeEach(() => {
  made.subsets = 0;
  made.asked = 0;
});

const ROOT = 'file:///ws';

type Files = Readonly<Record<string, string | undefined>>;

function hostOf(files: Files): AnalysisHost {
  const host = createAnalysisHost({ readPack, onBug: throwBug });
  host.apply({ folders: [{ uri: ROOT }, { uri: '' }], settings: defaultSettings });
  change(host, files);
  return host;
}

const change = (host: AnalysisHost, files: Files): readonly string[] =>
  host.apply({ files: Object.entries(files).map(([path, text]) => ({ uri: `${ROOT}/${path}`, text })) });

const problemsOf = (host: AnalysisHost, uri: string) =>
  host
    .analysis()
    .diagnostics(uri)
    .map(({ code, message, span, related, environments }) => ({ code, message, span, related, environments }));

const pod = (name: string, map: string): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec: { containers: [{ name: web, image: "web:1", envFrom: [{ configMapRef: { name: ${map} } }] }] }
`;
const settings = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`;

const NAMES = Array.from({ length: 40 }, (_, i) => `c${i}`);

it('an edit makes the views of those environments alone that are asked', () => {
  const files = NAMES.map(it => [`clusters/${it}/pod.yaml`, pod('a', 'one')]);
  const host = hostOf(Object.fromEntries(files));
  for (const it of host.analysis().uris) problemsOf(host, it);

  made.subsets = 0;
  const touched = change(host, { 'clusters/c7/pod.yaml': pod('b', 'one') });
  expect(touched).toEqual([`${ROOT}/clusters/c7/pod.yaml`]);
  for (const it of touched) problemsOf(host, it);
  expect(made.subsets).toBeGreaterThan(0);
  expect(made.subsets).toBeLessThan(6);
});

it('objects of one kind in each of many environments are not looked through by all of them', () => {
  const count = 100;
  const own = Array.from({ length: count }, (_, i) => [`clusters/c${i}/own.yaml`, settings('own')]);
  const host = hostOf({
    ...Object.fromEntries(own),
    'base/pod.yaml': pod('a', 'missing'),
    'base/map.yaml': settings('map'),
  });
  expect(problemsOf(host, `${ROOT}/base/pod.yaml`)).toHaveLength(1);
  expect(made.asked).toBeGreaterThan(count);
  expect(made.asked).toBeLessThan(20 * count);
});

it('whatever is edited in one of many environments, all say what a fresh server says', () => {
  const own = (i: number): Files => ({ [`clusters/c${i}/settings.yaml`]: settings(i % 2 === 0 ? 'one' : 'two') });
  const edits: readonly Files[] = [
    { 'base/pod.yaml': pod('a', 'two') },
    { 'clusters/c1/settings.yaml': settings('three') },
    { 'clusters/c1/settings.yaml': `# moved\n${settings('one')}` },
    { 'clusters/c3/settings.yaml': undefined },
    { 'clusters/c3/pod.yaml': pod('a', 'one') },
    { 'base/baseline.json': '{}' },
    { 'base/crd.yaml': 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: a }\n' },
    { 'clusters/c4/settings.yaml': settings('two'), 'clusters/c5/settings.yaml': settings('one') },
    { 'base/pod.yaml': `${pod('a', 'one')}---\n${pod('a', 'two')}` },
    { 'base/more.yaml': settings('two') },
    { 'clusters/c5/settings.yaml': settings('one').replace('ConfigMap', 'Secret') },
  ];
  const declared = NAMES.slice(0, 7).map((it, i) => {
    const more = i % 3 === 0 ? ', baseline: base/baseline.json' : '';
    return `  ${it}: { paths: [base, clusters/${it}]${more} }\n`;
  });
  for (const berth of [undefined, `environments:\n${declared.join('')}`]) {
    let files: Files = Object.assign(
      { 'base/pod.yaml': pod('a', 'one'), 'berth.yaml': berth },
      ...NAMES.slice(0, 7).map((_, i) => own(i)),
    );
    const host = hostOf(files);
    const known = new Map(host.analysis().uris.map(it => [it, problemsOf(host, it)]));
    for (const edit of edits) {
      files = { ...files, ...edit };
      for (const it of change(host, edit)) known.set(it, problemsOf(host, it));
      const fresh = hostOf(files);
      for (const it of fresh.analysis().uris) {
        expect(known.get(it)).toEqual(problemsOf(fresh, it));
        expect(problemsOf(host, it)).toEqual(problemsOf(fresh, it));
      }
    }
  }
});
