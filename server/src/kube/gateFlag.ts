import type { Span } from '../text/span';

/** A gate in the value of the flag `feature-gates`, and where its name stands in that text. */
export interface FlagGate {
  readonly name: string;
  readonly on: boolean;
  readonly within: Span;
}

/** Upstream: featuregate.(*featureGate).Set, which refuses what is no `NAME=true` or `NAME=false`. */
export function gatesInFlag(text: string): readonly FlagGate[] {
  let start = 0;
  return text.split(',').flatMap((word): readonly FlagGate[] => {
    const from = start;
    start += word.length + 1;
    const [, blank = '', name = '', value = ''] = GATE.exec(word) ?? [];
    if (name === '') return [];
    const within = { start: from + blank.length, end: from + blank.length + name.length };
    return [{ name, on: /^[tT1]/.test(value), within }];
  });
}

const GATE = /^(\s*)([^=\s]+)\s*=\s*(true|false|True|False|TRUE|FALSE|[tTfF01])\s*$/;
