import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { createOnigScanner, createOnigString, loadWASM } from 'vscode-oniguruma';
import textmate, { type IGrammar } from 'vscode-textmate';

const root = resolve(import.meta.dirname, '../..');
const { resolve: find } = createRequire(import.meta.url);

interface Contributed {
  readonly scopeName: string;
  readonly path: string;
  readonly injectTo?: readonly string[];
}

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const contributed: readonly Contributed[] = json(join(root, 'package.json')).contributes.grammars;

/** Grammars by scope, as the editor loads them: those of `package.json`, and others that `paths` names. */
export async function grammarOf(scope: string, paths: Paths): Promise<IGrammar> {
  await loadWASM(readFileSync(find('vscode-oniguruma/release/onig.wasm')).buffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: async wanted => {
      const path = paths[wanted] ?? contributed.find(it => it.scopeName === wanted)?.path;
      return path === undefined ? null : textmate.parseRawGrammar(readFileSync(resolve(root, path), 'utf8'), 'a.json');
    },
    getInjections: into => contributed.filter(it => it.injectTo?.includes(into)).map(it => it.scopeName),
  });
  const grammar = await registry.loadGrammar(scope);
  if (grammar === null) throw new Error(`There is no grammar for ${scope}.`);
  return grammar;
}

type Paths = Readonly<Record<string, string>>;

export const olderYaml: Paths = { 'source.yaml': find('tm-grammars/grammars/yaml.json') };

/** The grammar of an editor that `BERTH_EDITOR` names, the folder with its `extensions`: it is no package of its own. */
export function editorsYaml(): readonly (readonly [string, Paths])[] {
  const folder = join(process.env.BERTH_EDITOR ?? '', 'extensions/yaml/syntaxes');
  if (process.env.BERTH_EDITOR === undefined || !existsSync(folder)) return [];
  const versions = ['1.0', '1.1', '1.2', '1.3', 'embedded'].map(it => {
    return [`source.yaml.${it}`, join(folder, `yaml-${it}.tmLanguage.json`)] as const;
  });
  return [['of this editor', { 'source.yaml': join(folder, 'yaml.tmLanguage.json'), ...Object.fromEntries(versions) }]];
}

export interface ToldToken {
  readonly line: number;
  readonly text: string;
  readonly scopes: readonly string[];
}

/** What every piece of a text is, blank ones left out. */
export function tokensOf(grammar: IGrammar, text: string): readonly ToldToken[] {
  let stack = textmate.INITIAL;
  return text.split('\n').flatMap((line, row) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    return tokens
      .map(it => ({ line: row + 1, text: line.slice(it.startIndex, it.endIndex), scopes: it.scopes }))
      .filter(it => it.text.trim() !== '');
  });
}
