import type { Attempt, NodeVerdict } from '../result';
import type { FilterRun } from './cycle';
import type { PostFilterAnswer } from './plugin';

/** What one look at one Pod came to. */
export interface Decision {
  /** Its number is given later. */
  readonly attempt: Omit<Attempt, 'nodes'>;
  /** The verdict of each node, made when somebody asks: most attempts on many nodes are never looked into. */
  readonly nodes?: () => readonly NodeVerdict[];
  readonly nomination?: PostFilterAnswer['nomination'];
  readonly cluster?: PostFilterAnswer['cluster'];
  readonly sendsBack?: PostFilterAnswer['sendsBack'];
  /** How far the next cycle's start moves on. Upstream: processedNodes. */
  readonly looked: number;
  /** The filter states; absent when PreFilter rejected the Pod, and where trackers decided without it. */
  readonly run?: FilterRun;
  /** Plugins whose PreFilter was asked, when one of them rejected the Pod. */
  readonly preFiltered?: readonly string[];
}
