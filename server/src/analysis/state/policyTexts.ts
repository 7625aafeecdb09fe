import { isConfigFile } from '../../policy/conftest/configFile';

/** Texts of policy files that are no manifests, by uri. */
export type PolicyTexts = ReadonlyMap<string, string>;

/** Whether a file is Rego or a configuration of Conftest. The manifest parser does not read these. */
export const isPolicyText = (uri: string): boolean => uri.endsWith('.rego') || isConfigFile(uri);

/** The texts after a change of files; the same object when no policy text is among them. */
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
