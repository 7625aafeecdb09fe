/** Placement tests on the command line: their files, their run, and the placements that were accepted. */

export {
  acceptedAfter,
  acceptedPath,
  acceptedText,
  isToAccept,
  MOST_ACCEPTED,
  readAccepted,
} from './placementTests/accepted';
export { isPlacementTest, type PlacementTestFile } from './placementTests/format';
export { gatesOfTests, testGround } from './placementTests/ground';
export type { Accepted, TestResult } from './placementTests/run';
export { placementTestOf, runPlacementTests, type SuiteWorld, type TestTime } from './placementTests/suite';
