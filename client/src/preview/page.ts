import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
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
  panel.webview.html = html(panel.webview, extension);
  return panel;
}

/** Nothing but the extension's own script and style may load; the script carries a nonce made for this page. */
function html(webview: vscode.Webview, extension: vscode.Uri): string {
  const nonce = randomBytes(18).toString('base64');
  const asset = (name: string): vscode.Uri => webview.asWebviewUri(vscode.Uri.joinPath(extension, 'dist', name));
  const policy = `default-src 'none'; style-src ${webview.cspSource} 'unsafe-inline'; script-src 'nonce-${nonce}'`;
  return `<!doctype html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${asset('preview.css')}">
<title>Placement</title>
</head>
<body>
<script nonce="${nonce}" src="${asset('preview.js')}"></script>
</body>
</html>`;
}
