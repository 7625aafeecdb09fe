import { parseManifests } from '../../manifest/parse';
import { createPartExpander, type ExpandedPart, type StatesPart } from '../core/part';
import { openSystem } from './exploreSystem';
import { symmetryOf, withEqualSlots } from './symmetry';

/** A system whose states are expanded in several threads: each makes its model by itself. */
export interface ExpandedSystem {
  readonly uri: string;
  readonly text: string;
  readonly symmetry: 'used' | 'ignored';
}

/** Expands parts of a search of the system. */
export function systemExpander({ uri, text, symmetry }: ExpandedSystem): (part: StatesPart) => ExpandedPart {
  const system = openSystem(parseManifests(uri, text));
  if ('problems' in system) throw new Error('A system was explored and has problems.');
  const equal = symmetry === 'ignored' ? [] : symmetryOf(system);
  return createPartExpander(withEqualSlots(system.model, equal), equal);
}
