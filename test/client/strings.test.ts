import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as ts from 'typescript/unstable/ast';
import { describe, expect, it } from 'vitest';
import { issueChecks, issueText } from '../../server/src/rules/knownIssues/knownIssue';
import { openProjects } from '../support/typescript';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const keysOf = (path: string): string[] => Object.keys(JSON.parse(read(path)) as Record<string, string>).sort();

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
    const { projects, close } = openProjects('client', 'server');
    const inSources = projects.map(it => it.files.filter(({ tree }) => tree.text.includes('l10n')).flatMap(messagesOf));
    close();
    expect(inSources.map(it => it.length)).not.toContain(0);
    const wanted = [...new Set([...inSources.flat(), ...textsOfIssues()])].sort();
    const bundles = readdirSync(join(root, 'l10n')).filter(it => it.startsWith('bundle.'));
    for (const name of bundles) expect(keysOf(`l10n/${name}`), name).toEqual(wanted);
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

/** The lines of blocks of code in a page, without comments. */
function codeIn(path: string): readonly string[] {
  const blocks = [...read(path).matchAll(/^```.*\n([\s\S]*?)^```$/gm)].map(([, code]) => code!);
  return blocks.flatMap(it => it.split('\n')).map(it => it.replace(/\s*#.*/, ''));
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
