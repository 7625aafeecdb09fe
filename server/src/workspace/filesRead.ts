/** Whether a file, by its path or uri, is read: a manifest, Rego, or a configuration of Conftest. */
export const isFileRead = (path: string): boolean =>
  /\.(ya?ml|json|rego)$|(?:^|[\\/])(?:Kustomization|conftest\.toml)$/i.test(path);
