// `npm run test:cluster`: the live cluster source against a real API server, which is built from Go modules into the
// user's cache the first time. Without Go it is skipped, and says so. RECORD=1 renews the recorded answers of `npm test`.
import { controlPlane } from '../test/live-cluster/build.mjs';
import { program, runNode } from './run.mjs';

const bin = controlPlane();
if (bin === undefined) {
  console.log('Skipped: there is no Go to build an API server with, and BERTH_CONTROL_PLANE names no folder with one.');
} else {
  process.env.BERTH_CONTROL_PLANE = bin;
  process.exitCode = await runNode([program.vitest, 'run', '--config', 'test/live-cluster/vitest.config.mts']);
}
