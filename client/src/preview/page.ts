import * as vscode from 'vscode';
import { pageHtml } from '../webviewPage';
import { type FromPreview, isFromPreview } from './messages';

export interface PageEvents {
  readonly received: (message: FromPreview) => void;
  /** The page became visible or hidden. */
  readonly shown: (page: vscode.WebviewPanel) => void;
  readonly closed: () => void;
}

/** Opens the page of the preview beside the editor. */
export function openPage(extension: vscode.Uri, { received, shown, closed }: PageEvents): vscode.WebviewPanel {
  const panel = vscode.window.createWebviewPanel(
    'berth.preview',
    vscode.l10n.t('Placement'),
    { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
    { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extension, 'dist')] },
  );
  panel.webview.onDidReceiveMessage((message: unknown) => isFromPreview(message) && received(message));
  panel.onDidChangeViewState(() => shown(panel));
  panel.onDidDispose(closed);
  panel.webview.html = pageHtml(panel.webview, extension, { bundle: 'preview', title: 'Placement' });
  return panel;
}
