import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** A page that is one of the extension's bundles. */
export interface WebviewBundle {
  /** The name of its script and its style sheet in dist/. */
  readonly bundle: string;
  readonly title: string;
}

/** Nothing but the extension's own script and style may load; the script carries a nonce made for this page. */
export function pageHtml(webview: vscode.Webview, extension: vscode.Uri, { bundle, title }: WebviewBundle): string {
  const nonce = randomBytes(18).toString('base64');
  const asset = (name: string): vscode.Uri => webview.asWebviewUri(vscode.Uri.joinPath(extension, 'dist', name));
  const policy = `default-src 'none'; style-src ${webview.cspSource} 'unsafe-inline'; script-src 'nonce-${nonce}'`;
  return `<!doctype html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${asset(`${bundle}.css`)}">
<title>${title}</title>
</head>
<body>
<script nonce="${nonce}" src="${asset(`${bundle}.js`)}"></script>
</body>
</html>`;
}
