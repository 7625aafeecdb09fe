import type { RuleMeta } from '../framework/rule';

export const PLACEMENT_TEST: RuleMeta = {
  code: 'berth/placement-test',
  category: 'decode',
  severity: 'error',
  cost: 'typing',
  summary: 'Something in a file of placement tests cannot be followed.',
  why: 'A test that is not understood would pass without having looked.',
  remedy: 'Write what the message asks for; completion knows the fields.',
  details:
    'Files named `*.placement-test.yaml` say where Pods must land; `berth test` and the test explorer run them. See the page about placement tests.',
};
