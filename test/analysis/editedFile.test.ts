import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AnalysisHost } from '../../server/src/analysis/analysis';
import { createAnalysisHost } from '../../server/src/analysis/host';
import type { Problem } from '../../server/src/rules/framework/problem';
import { readPack } from '../support/packs';
import { sizedFor } from '../support/thorough';

const URIS = ['file:///ws/one.yaml', 'file:///ws/two.yaml'];
const newHost = (): AnalysisHost => createAnalysisHost({ readPack, onBug: expect.unreachable });

const name = fc.constantFrom('a', 'b');
const account = name.map(it => `apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: ${it}}\n`);
const config = fc
  .tuple(name, name)
  .map(([name, key]) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n  ${key}: x\n`);
const service = fc
  .tuple(name, name)
  .map(
    ([name, app]) =>
      `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\nspec:\n  selector: {app: ${app}}\n  ports: [{port: 80, targetPort: web}]\n`,
  );
const pod = fc.tuple(name, name, name, fc.constantFrom('web', 'api')).map(
  ([name, app, of, port]) => `apiVersion: v1
kind: Pod
metadata: {name: ${name}, labels: {app: ${app}}}
spec:
  serviceAccountName: ${of}
  containers:
  - name: c
    image: x:latest
    ports: [{name: ${port}, containerPort: 80}]
    envFrom: [{configMapRef: {name: ${of}}}]
    env: [{name: E, valueFrom: {configMapKeyRef: {name: ${of}, key: ${app}}}}]
`,
);
const object = fc.oneof(account, config, service, pod);

type Objects = readonly string[];
type Edit = (objects: Objects) => Objects;
const at = fc.double({ min: 0, max: 1, noNaN: true });
const indexOf = (where: number, { length }: { readonly length: number }): number => Math.floor(where * length);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(at, object).map(
    ([where, it]) =>
      (all: Objects) =>
        all.toSpliced(indexOf(where, all), 0, it),
  ),
  fc.tuple(at, object).map(
    ([where, it]) =>
      (all: Objects) =>
        all.with(indexOf(where, all), it),
  ),
  at.map(where => (all: Objects) => (all.length > 1 ? all.toSpliced(indexOf(where, all), 1) : all)),
  fc.constant((all: Objects) => all.toReversed()),
  fc
    .tuple(at, at, fc.constantFrom('\n', '#', 'im', ': ', '"', '  # berth-ignore a/b: c\n', 'b', '&x '))
    .map(([where, inIt, typed]) => (all: Objects) => {
      const i = indexOf(where, all);
      const text = all[i] ?? '';
      const place = indexOf(inIt, text);
      return all.with(i, text.slice(0, place) + typed + text.slice(place));
    }),
);
const style = fc.constantFrom<'documents' | 'list'>('documents', 'list');

function textOf(objects: Objects, style: 'documents' | 'list'): string {
  if (style === 'documents') return objects.join('---\n');
  const items = objects.map(it => `- ${it.trimEnd().replaceAll('\n', '\n  ')}\n`);
  return `apiVersion: v1\nkind: List\nitems:\n${items.join('')}`;
}

/** What of a problem an editor can show. */
const shown = ({ code, message, span, related, fixes }: Problem) => ({ code, message, span, related, fixes });

/** Objects that nobody edits: files with some are indexed in steps. */
const fillersOf = (count: number): Objects =>
  Array.from({ length: count }, (_, i) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: filler-${i}}\n`);

it('an edited file has the same problems as after a fresh start', () => {
  const start = fc.array(object, { minLength: 2, maxLength: 6 });
  const edits = fc.array(fc.tuple(fc.nat(1), edit), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(style, fc.constantFrom(0, 24), start, start, edits, (style, count, one, two, changes) => {
      const fillers = fillersOf(count);
      const host = newHost();
      const state: Objects[] = [one, two];
      const filesNow = () => URIS.map((uri, i) => ({ uri, text: textOf([...state[i]!, ...fillers], style) }));
      host.apply({ files: filesNow() });
      for (const uri of URIS) host.analysis().quickDiagnostics(uri);
      for (const [i, change] of changes) {
        state[i] = change(state[i]!);
        host.apply({ files: [filesNow()[i]!] });
        const fresh = newHost();
        fresh.apply({ files: filesNow() });
        for (const uri of URIS) {
          const found = host.analysis().quickDiagnostics(uri).map(shown);
          expect(found).toEqual(fresh.analysis().quickDiagnostics(uri).map(shown));
        }
      }
    }),
    { numRuns: sizedFor({ thorough: 30, quick: 6 }), seed: 5 },
  );
});
