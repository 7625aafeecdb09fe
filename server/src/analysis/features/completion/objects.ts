import type { Kube } from '../../../kube/kube';
import type { CompletionItem } from './item';
import { OBJECT_SNIPPETS } from './objectSnippets';
import type { TypedPlace } from './typedPosition';

/** Snippets of whole objects that the chosen minor serves. */
export function objectItems(place: TypedPlace, kube: Kube, unit: number): readonly CompletionItem[] {
  if (place.style !== 'block') return [];
  const dash = place.lead;
  const margin = ' '.repeat(place.column + dash.length);
  return OBJECT_SNIPPETS.flatMap(({ kind, apiVersions, body }) => {
    const apiVersion = apiVersions.find(it => kube.kindOf(it, kind)?.served === 'on');
    if (apiVersion === undefined) return [];
    const text = `apiVersion: ${apiVersion}\nkind: ${kind}\n${body}`.trimEnd();
    const indentedText = text
      .replace(/^ +/gm, it => ' '.repeat((it.length / 2) * unit))
      .replaceAll('\n', `\n${margin}`);
    return [
      {
        label: kind,
        kind: 'object' as const,
        detail: `new ${apiVersion} ${kind}`,
        documentation: `\`\`\`yaml\n${withoutStops(text)}\n\`\`\``,
        span: place.span,
        filter: kind,
        insert: `${dash}${indentedText}\n`,
        rank: 5,
      },
    ];
  });
}

const withoutStops = (text: string): string =>
  text.replace(/\$\{\d+\|([^,|]*)[^|]*\|\}/g, '$1').replace(/\$\{\d+:([^}]*)\}/g, '$1');
