import type { PreviewNode } from '../../../../server/src/analysis/previewModel';

/** How much a cell of the map shows: words and bars, a name, or a square alone. */
export type MapDetail = 'words' | 'names' | 'squares';

/** More nodes than these leave less room for each. */
const MOST_WITH_WORDS = 36;
const MOST_WITH_NAMES = 120;

export function mapDetailFor(nodes: number): MapDetail {
  if (nodes <= MOST_WITH_WORDS) return 'words';
  return nodes <= MOST_WITH_NAMES ? 'names' : 'squares';
}

/** What is used of one resource of a node, from 0 to 1, or more than 1; 0 where the node has none of it. */
export function usedPart({ resources }: PreviewNode, name: string): number {
  const found = resources.find(it => it.name === name);
  return found === undefined || found.allocatable <= 0 ? 0 : (found.running + found.placed) / found.allocatable;
}

/** How full a node is: the scarcer one of CPU and memory. */
export const useOf = (node: PreviewNode): number => Math.max(usedPart(node, 'cpu'), usedPart(node, 'memory'));

/** A share in whole percent; only what is used up is 100, and only nothing is 0. */
export function wholePercent(part: number): number {
  const rounded = Math.round(100 * part);
  if (part > 0 && rounded === 0) return 1;
  return part < 1 && rounded === 100 ? 99 : rounded;
}
