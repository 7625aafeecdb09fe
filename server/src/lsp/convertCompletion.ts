import {
  CompletionItemKind,
  CompletionItemTag,
  type CompletionList,
  InsertTextFormat,
  InsertTextMode,
  type CompletionItem as LspCompletionItem,
  MarkupKind,
} from 'vscode-languageserver/node';
import type { Completion, CompletionItem } from '../analysis/analysis';
import type { LineIndex } from '../text/lineIndex';
import { toRange } from './convert';

const kinds: Readonly<Record<CompletionItem['kind'], CompletionItemKind>> = {
  field: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  choice: CompletionItemKind.EnumMember,
  reference: CompletionItemKind.Reference,
  label: CompletionItemKind.Constant,
  amount: CompletionItemKind.Unit,
  object: CompletionItemKind.Snippet,
};

const SUGGEST = { title: '', command: 'editor.action.triggerSuggest' };

export function toCompletionList({ items, isIncomplete }: Completion, lines: LineIndex): CompletionList {
  return { isIncomplete, items: items.map(it => toCompletionItem(it, lines)) };
}

function toCompletionItem(item: CompletionItem, lines: LineIndex): LspCompletionItem {
  return {
    label: item.label,
    kind: kinds[item.kind],
    ...(item.detail && { detail: item.detail }),
    ...(item.documentation && { documentation: { kind: MarkupKind.Markdown, value: item.documentation } }),
    ...(item.deprecated && { tags: [CompletionItemTag.Deprecated] }),
    ...(item.preselect && { preselect: true }),
    sortText: `${String(item.rank).padStart(3, '0')} ${item.label}`,
    filterText: item.filter,
    insertTextFormat: InsertTextFormat.Snippet,
    insertTextMode: InsertTextMode.asIs,
    textEdit: { range: toRange(item.span, lines), newText: item.insert },
    ...(item.edits && {
      additionalTextEdits: item.edits.map(it => ({ range: toRange(it.span, lines), newText: it.newText })),
    }),
    ...(item.goesOn && { command: SUGGEST }),
    ...(item.field && { data: item.field }),
  };
}
