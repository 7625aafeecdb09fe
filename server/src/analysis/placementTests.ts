/** Placement tests on the command line: their files, their run, and the placements that were accepted. */
export {
  type Accepted,
  acceptedPath,
  acceptedText,
  isPlacementTest,
  type PlacementTestFile,
  placementTestOf,
  readAccepted,
  runPlacementTests,
  type SuiteWorld,
  type TestResult,
} from './placementTests/suite';
