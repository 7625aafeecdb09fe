import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as ts from 'typescript/unstable/ast';
import { describe, expect, it } from 'vitest';
import { issueChecks, issueText } from '../../server/src/rules/knownIssues/knownIssue';
import type { OpenProject } from '../support/typescript';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const keysOf = (path: string): string[] => Object.keys(JSON.parse(read(path)) as Record<string, string>).sort();

/** Tests of the sources of client and server, which `test/tidy.test.ts` reads. */
export function describeStrings({
  client,
  server,
}: {
  readonly client: OpenProject;
  readonly server: OpenProject;
}): void {
  describe('strings that a person reads', () => {
    it('has every string of package.json, and no other, in each language', () => {
      const used = [...read('package.json').matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key!);
      const wanted = [...new Set(used)].sort();
      expect(keysOf('package.nls.json')).toEqual(wanted);
      for (const path of readdirSync(root).filter(it => /^package\.nls\..+\.json$/.test(it))) {
        expect(keysOf(path), path).toEqual(wanted);
      }
    });

    it('has every message of client and server, and no other, in each language', () => {
      const inSources = [client, server].map(it =>
        it.files.filter(({ tree }) => tree.text.includes('l10n')).flatMap(messagesOf),
      );
      expect(inSources.map(it => it.length)).not.toContain(0);
      const wanted = [...new Set([...inSources.flat(), ...textsOfIssues()])].sort();
      const bundles = readdirSync(join(root, 'l10n')).filter(it => it.startsWith('bundle.'));
      for (const name of bundles) expect(keysOf(`l10n/${name}`), name).toEqual(wanted);
    });

    it('passes each sentence of the editor through the translation', () => {
      const files = server.files.filter(({ name }) => SPOKEN.some(it => name.startsWith(it)));
      const said = files.flatMap(({ name, tree }) => plainSentencesIn(tree).map(text => ({ name, text })));
      expect(said.filter(it => !UNSPOKEN.includes(it.name))).toEqual([]);
      expect(UNSPOKEN.filter(name => !said.some(it => it.name === name))).toEqual([]);
    });

    it('has each page of the walkthrough in each language, with the same code', () => {
      const pages = [...read('package.json').matchAll(/"markdown": "([^"]+)\.md"/g)].map(([, path]) => path!);
      const languages = readdirSync(root).flatMap(it => /^package\.nls\.(.+)\.json$/.exec(it)?.[1] ?? []);
      expect(pages.length).toBeGreaterThan(0);
      for (const language of languages)
        for (const page of pages) expect(codeIn(`${page}.nls.${language}.md`), page).toEqual(codeIn(`${page}.md`));
    });

    it('leaves no place of a message out, in any language', () => {
      const placesOf = (words: string): string[] => [...new Set(words.match(/\{\d\}/g))].sort();
      for (const name of readdirSync(join(root, 'l10n'))) {
        const messages = Object.entries(JSON.parse(read(`l10n/${name}`)) as Record<string, string>);
        expect(messages.filter(([message, words]) => `${placesOf(message)}` !== `${placesOf(words)}`)).toEqual([]);
      }
    });
  });
}

/** The lines of blocks of code in a page, without comments. */
function codeIn(path: string): readonly string[] {
  const blocks = [...read(path).matchAll(/^```.*\n([\s\S]*?)^```$/gm)].map(([, code]) => code!);
  return blocks.flatMap(it => it.split('\n')).map(it => it.replace(/\s*#.*/, ''));
}

/** Folders of the server whose sentences people read in the editor. */
const SPOKEN = ['server/src/analysis/', 'server/src/explore/'];

/** Files of these folders with other sentences, from the folder `server/src`. */
const UNSPOKEN: readonly string[] = [
  // Upstream's words, and names of kinds of work.
  'analysis/clusters/externalCluster',
  'analysis/explain/refusals',
  'analysis/explain/shortRefusals',
  'analysis/features/fieldDocs',
  'analysis/placement/clusterRun',
  'analysis/placement/refusedObjects',
  'analysis/preview/build',
  'analysis/preview/comparedWords',
  'explore/cluster/applying',
  'explore/cluster/controllers',
  'explore/cluster/settles',
  // The command line's alone.
  'analysis/placement/askExtenders',
  'analysis/placement/compare',
  'analysis/placement/refusalNotes',
  'analysis/placement/scenario',
  'analysis/placement/scenarioPolicies',
  'analysis/policyTests',
  'analysis/whatIf/descheduler',
  'explore/system/savedSystem',
  // Text that is inserted, saved or drawn.
  'analysis/features/completion/objectSnippets',
  'explore/core/savedFile',
  'explore/graphviz/picture',
  'explore/system/stateGraphText',
  // What only bugs lead to.
  'explore/core/cycles',
  'explore/core/exploration',
  'explore/system/expander',
  'explore/system/form',
  'explore/system/symmetry',
].map(it => `server/src/${it}.ts`);

/** Documentation of berth.yaml, which the bundle of pages translates. */
const DOCUMENTED: ReadonlySet<string> = new Set(['summary', 'description']);

/** Two words in a row. */
const SENTENCE = /\b[a-z]{2,} [a-z]{2,}\b/;

/** Texts with several words that do not pass through `t`. */
function plainSentencesIn(node: ts.Node): readonly string[] {
  const isDocumented = ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && DOCUMENTED.has(node.name.text);
  if (isDocumented || messageOf(node).length > 0) return [];
  const own = textOf(node);
  const below: string[] = [];
  node.forEachChild(it => {
    below.push(...plainSentencesIn(it));
  });
  return own !== undefined && SENTENCE.test(own) ? [own, ...below] : below;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLikeNode(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.templateSpans.reduce((all, it) => `${all}{}${it.literal.text}`, node.head.text);
}

/** Known issues are data. */
const textsOfIssues = (): readonly string[] =>
  issueChecks().flatMap(({ id }) => {
    const { title, text, advice, assumes } = issueText(id);
    return [title, text, advice, ...(assumes === undefined ? [] : [assumes])];
  });

/** What `l10n.t`, `t` and `say` are given in a file, templates with {0}, {1} at their places. */
const messagesOf = ({ tree }: { readonly tree: ts.SourceFile }): string[] => messagesIn(tree);

function messagesIn(node: ts.Node): string[] {
  const below: string[] = [];
  node.forEachChild(it => {
    below.push(...messagesIn(it));
  });
  return [...messageOf(node), ...below];
}

function messageOf(node: ts.Node): string[] {
  if (ts.isTaggedTemplateExpression(node) && nameOf(node.tag) === 't') {
    const { template } = node;
    if (ts.isNoSubstitutionTemplateLiteral(template)) return [template.text];
    return [template.templateSpans.reduce((all, it, at) => `${all}{${at}}${it.literal.text}`, template.head.text)];
  }
  const [first] = ts.isCallExpression(node) && ['t', 'say'].includes(nameOf(node.expression)) ? node.arguments : [];
  return first && ts.isStringLiteralLikeNode(first) ? [first.text] : [];
}

const nameOf = (it: ts.Expression): string =>
  ts.isIdentifier(it) ? it.text : ts.isPropertyAccessExpression(it) ? it.name.text : '';
