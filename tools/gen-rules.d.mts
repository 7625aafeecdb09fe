/** The files that are not what they should be, by path from the root; `sourcesOf` gives the modules that the pages are made of. */
export function outdated(sourcesOf?: () => object): Promise<readonly string[]>;
