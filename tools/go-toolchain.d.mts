export const PINNED_GO: readonly number[];
export function goToolchain(options?: {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly platform?: string;
  readonly arch?: string;
}): Promise<string>;
export function proxiesOf(value: string | undefined): readonly { readonly url: string; readonly goesOn: boolean }[];
