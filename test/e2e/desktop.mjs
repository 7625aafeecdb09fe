// The same suite in a downloaded desktop VS Code. A display is needed: on a Linux without one, `xvfb-run -a npm test -- --desktop`.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';

export function runSuite({ extension, suite, workspace, env }) {
  return runTests({
    // The oldest that package.json promises; a name such as `stable` would be another program every month.
    version: process.env.BERTH_VSCODE_VERSION ?? '1.91.0',
    vscodeExecutablePath: process.env.BERTH_VSCODE_PATH,
    extensionDevelopmentPath: extension,
    extensionTestsPath: suite,
    extensionTestsEnv: env,
    // Short: a user-data folder deep in the tree makes the path of VS Code's socket too long on macOS.
    launchArgs: [
      workspace,
      '--disable-extensions',
      '--disable-workspace-trust',
      `--user-data-dir=${mkdtempSync(join(tmpdir(), 'vsc-'))}`,
    ],
  });
}
