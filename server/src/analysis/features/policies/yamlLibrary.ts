/** The module that writes YAML. It is bundled, but loaded only on demand. */
export const yamlLibrary = (): typeof import('yaml') => require('yaml');
