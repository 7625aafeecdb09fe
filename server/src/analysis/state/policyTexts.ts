import { isConfigFile } from '../../policy/conftest/configFile';

/** Files that belong to policies and are no manifests, by uri. */
export type PolicyTexts = ReadonlyMap<string, string>;

/** Whether a file is Rego, or says how Conftest asks it: the manifest parser has nothing to say of it. */
export const isPolicyText = (uri: string): boolean => uri.endsWith('.rego') || isConfigFile(uri);

/** The texts after some files changed; the same ones when none of them is a text of a policy. */
export function textsAfter(
  texts: PolicyTexts,
  changed: readonly { readonly uri: string; readonly text: string | undefined }[],
): PolicyTexts {
  const own = changed.filter(it => isPolicyText(it.uri));
  if (own.length === 0) return texts;
  const res = new Map(texts);
  for (const { uri, text } of own) {
    if (text === undefined) res.delete(uri);
    else res.set(uri, text);
  }
  return res;
}
