import * as vscode from 'vscode';

/** Requests of one kind, of which the last one counts. */
export interface LastRequest {
  /** The token of a new request; the one before it is cancelled. */
  begin(): vscode.CancellationToken;
  /** Cancels the last request. */
  stop(): void;
}

export function createLastRequest(): LastRequest {
  let last: vscode.CancellationTokenSource | undefined;
  const stop = (): void => last?.cancel();
  return {
    begin() {
      stop();
      last = new vscode.CancellationTokenSource();
      return last.token;
    },
    stop,
  };
}
