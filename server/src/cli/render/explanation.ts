import type { Explanation } from '../../analysis/scenario';
import { printable } from '../../text/printable';
import type { Paint } from './style';

/** A decision as a text: what it came to, and step by step who decided what. */
export function renderExplanation(scenario: string, { summary, steps }: Explanation, paint: Paint): string {
  const width = Math.max(0, ...steps.map(it => it.plugin.length));
  const lines = steps.map(
    ({ plugin, sentence }) => `  ${paint('bold', plugin.padEnd(width))}  ${printable(sentence)}\n`,
  );
  return [`${paint('bold', printable(scenario))}: ${printable(summary)}\n`, ...lines, '\n'].join('');
}
