/** `()` condition, `<()` global, `X()` negation, `+()` add if not present, `=()` equality, `^()` existence. */
export type AnchorType = 'condition' | 'global' | 'negation' | 'addIfNotPresent' | 'equality' | 'existence';

export interface Anchor {
  readonly type: AnchorType;
  readonly modifier: string;
  readonly key: string;
}

const typeOfModifier: Readonly<Record<string, AnchorType>> = {
  '': 'condition',
  '<': 'global',
  X: 'negation',
  '+': 'addIfNotPresent',
  '=': 'equality',
  '^': 'existence',
};

/** undefined for a key without an anchor. Upstream: anchor.Parse. */
export function parseAnchor(text: string): Anchor | undefined {
  if (!text.includes('(')) return undefined;
  const [, modifier = '', key] = /^([+<=X^])?\((.+)\)$/.exec(text.trim()) ?? [];
  const type = typeOfModifier[modifier];
  return key === undefined || type === undefined ? undefined : { type, modifier, key };
}

/** The key with its anchor. Upstream: anchor.String. */
export const anchored = ({ modifier }: Anchor, key: string): string => `${modifier}(${key})`;

export function isAnchor(text: string, types: readonly AnchorType[]): boolean {
  const anchor = parseAnchor(text);
  return anchor !== undefined && types.includes(anchor.type);
}

/** A path without the anchors of its parts. Upstream: anchor.RemoveAnchorsFromPath. */
export function withoutAnchors(path: string): string {
  const parts = path
    .split('/')
    .filter(it => it !== '')
    .map(it => parseAnchor(it)?.key ?? it);
  return `${path.startsWith('/') ? '/' : ''}${parts.join('/')}`;
}
