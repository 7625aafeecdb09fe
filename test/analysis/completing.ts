import type { Settings } from '../../server/src/analysis/configuration/settings';
import type { Completion, CompletionItem } from '../../server/src/analysis/features/completion/item';
import { applyEdits } from '../../server/src/text/span';
import { analysisOf } from './analyse';

export interface CompleteOptions {
  readonly uri?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly settings?: Partial<Settings>;
}

/** The completion where the caret `|` stands in a text. */
export function completeIn(text: string, options: CompleteOptions = {}): Completion {
  const { uri = 'file:///ws/typed.yaml', files = {}, settings = {} } = options;
  const caret = text.indexOf('|');
  const analysis = analysisOf({ ...files, [uri]: text.replace('|', '') }, settings);
  return analysis.completion(uri, caret);
}

/** The labels in the order in which an editor shows them, of those whose filter begins with what is typed. */
export function labelsIn(text: string, options: CompleteOptions = {}): readonly string[] {
  return shownIn(text, options).map(it => it.label);
}

export function shownIn(text: string, options: CompleteOptions = {}): readonly CompletionItem[] {
  const caret = text.indexOf('|');
  const { items } = completeIn(text, options);
  const isShown = ({ span, filter }: CompletionItem): boolean =>
    filter.toLowerCase().startsWith(text.slice(span.start, caret).toLowerCase());
  return items.filter(isShown).toSorted((a, b) => a.rank - b.rank || (a.label < b.label ? -1 : 1));
}

/** The text after one label was chosen; tab stops are shown as `‹›`, choices as `‹a,b›`. */
export function chosen(text: string, label: string, options: CompleteOptions = {}): string {
  const item = shownIn(text, options).find(it => it.label === label);
  if (item === undefined) throw new Error(`${label} is not among ${labelsIn(text, options).join(', ')}`);
  const newText = item.insert
    .replace(/\$\{\d+(?:\|(.*?)\||:((?:[^\\}]|\\.)*))?\}/g, (_, choices, name) => `‹${choices ?? name ?? ''}›`)
    .replace(/\$\d/g, '‹›')
    .replace(/\\([$}\\])/g, '$1');
  return applyEdits(text.replace('|', ''), [{ span: item.span, newText }, ...(item.edits ?? [])]);
}
