/** The module that writes YAML. Bundled with the rest, but run only when something is written. */
export const yamlLibrary = (): typeof import('yaml') => require('yaml');
