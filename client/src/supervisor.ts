import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { CloseAction, ErrorAction, type ErrorHandler } from 'vscode-languageclient/node';
import {
  chooseClusterCommand,
  exploreCommand,
  policyLocationsCommand,
  previewCommand,
  type StartParams,
  stateGraphCommand,
} from '../../server/src/lsp/protocol';
import { createRestartPolicy } from './restartPolicy';

/** Restarts the server after a crash, and tells the user where it does not. */
export interface Supervisor {
  readonly errorHandler: ErrorHandler;
  /** `initializationOptions` of the next start. */
  readonly startParams: () => StartParams;
  /** To call before a start that the user asks for. */
  readonly startedByHand: () => void;
}

/**
 * @param notePath a file of this window's own, in which the server notes the files that it is reading
 * @param stopped shows that the server does not run
 */
export function createSupervisor(notePath: string, stopped: (reason: string) => void): Supervisor {
  const restarts = createRestartPolicy(() => performance.now());
  const reported = new Set<string>();
  mkdirSync(dirname(notePath), { recursive: true });

  const closed: ErrorHandler['closed'] = () => {
    const next = restarts.serverEnded(filesInNote(notePath));
    rmSync(notePath, { force: true });
    for (const uri of restarts.leftOutFiles.filter(it => !reported.has(it))) {
      reported.add(uri);
      void reportLeftOut(uri);
    }
    if (next === 'start again') return { action: CloseAction.Restart, handled: true };
    stopped(vscode.l10n.t('The language server ended too often. The output channel "Berth" says why.'));
    void offerRestart();
    return { action: CloseAction.DoNotRestart, handled: true };
  };

  return {
    // A message that cannot be read or written is no reason to stop; `closed` handles the end of the process.
    errorHandler: { error: () => ({ action: ErrorAction.Continue, handled: true }), closed },
    startParams: () => ({
      isTrusted: vscode.workspace.isTrusted,
      notePath,
      leaveOut: restarts.leftOutFiles,
      isCareful: restarts.isCareful,
      commands: [previewCommand, policyLocationsCommand, chooseClusterCommand, stateGraphCommand, exploreCommand],
      remembersConsent: true,
    }),
    startedByHand() {
      restarts.reset();
      reported.clear();
    },
  };
}

function filesInNote(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

async function reportLeftOut(uri: string): Promise<void> {
  const file = vscode.Uri.parse(uri);
  const [open, restart] = [vscode.l10n.t('Open file'), vscode.l10n.t('Restart language server')];
  const message = vscode.l10n.t(
    'Berth ended twice while it looked at {0}, and leaves this file out now. Please report it with the file.',
    vscode.workspace.asRelativePath(file),
  );
  const chosen = await vscode.window.showWarningMessage(message, open, restart);
  if (chosen === open) await vscode.window.showTextDocument(file);
  if (chosen === restart) await vscode.commands.executeCommand('berth.restart');
}

async function offerRestart(): Promise<void> {
  const restart = vscode.l10n.t('Restart language server');
  const chosen = await vscode.window.showErrorMessage(
    vscode.l10n.t('Berth stopped: its language server ended too often.'),
    restart,
  );
  if (chosen === restart) await vscode.commands.executeCommand('berth.restart');
}
