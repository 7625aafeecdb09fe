import type { RuleMeta } from '../framework/rule';

export const SYSTEM: RuleMeta = {
  code: 'berth/system',
  category: 'decode',
  severity: 'error',
  cost: 'typing',
  summary: 'Something in a system of processes cannot be followed.',
  why: 'A system that is not understood is not explored, so that no deadlock in it is found.',
  remedy: 'Write what the message asks for; completion knows the fields.',
  details:
    'A document of kind `System` (berth.dev/v1alpha1) describes processes over shared variables; `berth explore` visits every state that they can reach.',
};

export const SYSTEM_FINDING: RuleMeta = {
  code: 'berth/system-finding',
  category: 'policy',
  severity: 'warning',
  cost: 'placement',
  summary: 'A system of processes can come into a deadlock, or a property of it does not hold.',
  why: 'What can happen in some order of steps happens some day. The message tells a shortest way there.',
  remedy:
    'Change the steps until the finding is gone, or the property if it asks too much. `berth explore FILE` tells the same with the state that is reached.',
  details:
    'The editor and `berth check` visit 100,000 states at most, and `berth explore` as many as there is time and memory for. A finding is always true; that there is none says nothing where the limit was reached. Where every state was visited, a step that can never be taken is told as information.',
};
