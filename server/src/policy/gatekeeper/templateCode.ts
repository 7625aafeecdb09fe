import { asList, asText } from '../../base/json';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';

/** One program of a template, and the path to its text. */
export interface TemplateCode {
  readonly text: string;
  readonly at: readonly (string | number)[];
  readonly regoVersion: 'v0' | 'v1';
}

/** The Rego of a template: in the older form at `targets[0].rego`, else in `targets[0].code`. Libraries come along. */
export function codeOf({ manifest }: WorkspaceObject): readonly TemplateCode[] {
  return asList(fieldAt(manifest.value, 'spec', 'targets')).flatMap((target, i) => {
    const base = ['spec', 'targets', i] as const;
    const own = regoIn(target, [...base], 'v0');
    const byEngine = asList(fieldAt(target, 'code')).flatMap((code, j) => {
      const version = asText(fieldAt(code, 'source', 'version')) === 'v1' ? 'v1' : 'v0';
      return regoIn(fieldAt(code, 'source'), [...base, 'code', j, 'source'], version);
    });
    return [...own, ...byEngine];
  });
}

function regoIn(
  holder: ReturnType<typeof fieldAt>,
  at: readonly (string | number)[],
  regoVersion: 'v0' | 'v1',
): readonly TemplateCode[] {
  const main = asText(fieldAt(holder, 'rego'));
  const libraries = asList(fieldAt(holder, 'libs')).flatMap((it, i) => {
    const text = asText(it);
    return text === undefined ? [] : [{ text, at: [...at, 'libs', i], regoVersion }];
  });
  return main === undefined ? libraries : [{ text: main, at: [...at, 'rego'], regoVersion }, ...libraries];
}

/** Whether a program reads other objects of the cluster. */
export const isReferential = ({ text }: TemplateCode): boolean => /\binventory\b/.test(text);

/** The call of an external data provider in a program, and the provider's name if it is a literal. */
export function externalCallIn({
  text,
}: TemplateCode): { readonly start: number; readonly end: number; readonly provider?: string } | undefined {
  const withoutComments = text.replace(/#.*/g, it => ' '.repeat(it.length));
  const call = /\bexternal_data(?=\s*\()/.exec(withoutComments);
  if (call === null) return undefined;
  const provider = /"provider"\s*:\s*"([^"]+)"/.exec(withoutComments.slice(call.index))?.[1];
  const span = { start: call.index, end: call.index + call[0].length };
  return provider === undefined ? span : { ...span, provider };
}
