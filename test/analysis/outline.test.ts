import { describe, expect, it } from 'vitest';
import type { DocumentSymbol } from '../../server/src/analysis/features/outline/symbols';
import { analysisOf } from './analyse';

const uri = 'file:///ws/all.yaml';

const TEXT = `# What the shop runs
# in every region
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
spec:
  template:
    spec:
      containers:
      - name: web
        image: nginx
        args: [a, b]
      - name: log

      volumes: []
---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: other }
data:
  script: |
    if true
      then
`;

describe('document symbols', () => {
  const symbols = analysisOf({ [uri]: TEXT }).documentSymbols(uri);
  const outline = (all: readonly DocumentSymbol[], depth = 0): readonly string[] =>
    all.flatMap(it => [
      `${'  '.repeat(depth)}${it.name}${it.detail && ` = ${it.detail}`}`,
      ...outline(it.children, depth + 1),
    ]);

  it('list objects by kind and name with their fields, and list items by their identifying field', () => {
    expect(outline(symbols)).toEqual([
      'Deployment shop = apps/v1 · default',
      '  metadata',
      '    name = shop',
      '  spec',
      '    template',
      '      spec',
      '        containers',
      '          web',
      '            name = web',
      '            image = nginx',
      '            args',
      '          log',
      '            name = log',
      '        volumes',
      'ConfigMap settings = v1 · other',
      '  metadata',
      '    name = settings',
      '    namespace = other',
      '  data',
      '    script = if true…',
    ]);
  });

  it('select the name inside of their range', () => {
    const [shop] = symbols;
    expect(TEXT.slice(shop?.selection.start, shop?.selection.end)).toBe('shop');
    const inside = (it: DocumentSymbol): boolean =>
      it.span.start <= it.selection.start &&
      it.selection.end <= it.span.end &&
      it.children.every(child => it.span.start <= child.span.start && child.span.end <= it.span.end && inside(child));
    expect(symbols.every(inside)).toBe(true);
  });

  it('are there in broken text and in JSON', () => {
    const broken = analysisOf({ [uri]: 'kind: Pod\nmetadata:\n  name: "a\nspec:\n  x' }).documentSymbols(uri);
    expect(broken[0]?.name).toContain('Pod');
    const json = 'file:///ws/a.json';
    const text = '{"kind": "Pod", "apiVersion": "v1", "metadata": {"generateName": "job-"}}';
    expect(analysisOf({ [json]: text }).documentSymbols(json)[0]?.name).toBe('Pod job-…');
  });
});

describe('workspace symbols', () => {
  const other = 'file:///ws/other.yaml';
  const analysis = analysisOf({ [uri]: TEXT, [other]: 'apiVersion: v1\nkind: Secret\nmetadata: { name: shopping }\n' });
  const names = (query: string): readonly string[] => analysis.workspaceSymbols(query).map(it => it.name);

  it('list objects of all files whose kind and name contain the letters in order', () => {
    expect(names('')).toEqual(['Deployment shop', 'Secret shopping', 'ConfigMap settings']);
    expect(names('shop')).toEqual(['Deployment shop', 'Secret shopping']);
    expect(names('cm sett')).toEqual(['ConfigMap settings']);
    expect(names('zzz')).toEqual([]);
  });
});

describe('folding ranges', () => {
  const folds = (text: string, name = uri): readonly string[] =>
    analysisOf({ [name]: text })
      .foldingRanges(name)
      .map(it => `${it.kind} ${it.startLine + 1}-${it.endLine + 1}`)
      .toSorted();

  it('are mappings, lists, items, blocks of text, comments and documents', () => {
    expect(folds(TEXT)).toEqual(
      [
        'comment 1-2',
        'document 1-16',
        'document 17-24',
        'block 5-6',
        'block 7-16',
        'block 8-16',
        'block 9-16',
        'block 10-14',
        'block 11-13',
        'block 21-24',
        'block 22-24',
        'block 23-24',
      ].toSorted(),
    );
  });

  it('of JSON leave the closing bracket visible', () => {
    expect(folds('{\n  "a": [\n    1,\n    "}"\n  ],\n  "b": {}\n}\n', 'file:///ws/a.json')).toEqual([
      'block 1-6',
      'block 2-4',
    ]);
  });
});

describe('a selection', () => {
  it('expands from a value to its entry, the item, the list, and so on', () => {
    const spans = analysisOf({ [uri]: TEXT }).selectionRanges(uri, TEXT.indexOf('nginx') + 1);
    const texts = spans.map(it => TEXT.slice(it.start, it.end));
    expect(texts.slice(0, 2)).toEqual(['nginx', 'image: nginx']);
    expect(texts[2]).toMatch(/^name: web[\s\S]*b\]$/);
    expect(texts[3]).toBe(`- ${texts[2]}`);
    expect(texts.at(-1)).toBe(TEXT);
    const sizes = texts.map(it => it.length);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
  });
});
