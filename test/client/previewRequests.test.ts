import { beforeEach, expect, it, vi } from 'vitest';
import type { ToPreview } from '../../client/src/preview/messages';
import { createPreviewRequests, type PreviewRequests } from '../../client/src/preview/requests';

/** What the editor holds and was told, in place of a real one. */
const editor = vi.hoisted(() => ({ version: 1, applied: 0, warnings: [] as string[] }));

vi.mock('vscode', () => {
  const document = { uri: 'file:///web.yaml', version: 0, getText: () => '' };
  const current = () => ({ ...document, version: editor.version });
  return {
    l10n: {
      t: (text: string, ...values: string[]) => text.replace(/\{(\d)\}/g, (_, at: string) => values[Number(at)]!),
    },
    CancellationTokenSource: class {
      readonly token = { isCancellationRequested: false };
      cancel(): void {
        this.token.isCancellationRequested = true;
      }
    },
    workspace: {
      get textDocuments() {
        return [current()];
      },
      openTextDocument: async () => current(),
      applyEdit: async () => {
        editor.applied += 1;
        return true;
      },
    },
    window: {
      showWarningMessage: (message: string) => void editor.warnings.push(message),
      showInformationMessage: async () => undefined,
    },
  };
});
vi.mock('vscode-languageclient/node', () => ({ ProgressType: class {} }));

const TITLE = 'Request 500m CPU';
const WORKED_OUT_ANEW = 'This suggestion is worked out anew. Try again in a moment.';

const MODEL = { chosen: 'default/web', whyIsSlow: false };

/** Questions to a server that answers with these models, the last one for ever, and what it and the page were told. */
function asking(...models: readonly object[]): { questions: PreviewRequests; posted: ToPreview[]; known: unknown[] } {
  const posted: ToPreview[] = [];
  const known: unknown[] = [];
  const client = {
    isRunning: () => true,
    sendNotification: () => undefined,
    protocol2CodeConverter: { asWorkspaceEdit: async () => ({ entries: () => [['file:///web.yaml', []]] }) },
    code2ProtocolConverter: { asUri: String },
    async sendRequest(method: string, params: { readonly known?: number }) {
      if (method === 'berth/preview') return models[known.push(params.known) - 1] ?? models.at(-1) ?? MODEL;
      return { why: { pod: 'default/web', suggestions: [{ title: TITLE, effect: '' }] }, edits: [{}] };
    },
  };
  return { questions: createPreviewRequests(client as never, it => posted.push(it)), posted, known };
}

beforeEach(() => {
  Object.assign(editor, { version: 1, applied: 0, warnings: [] });
});

it('applies what the button says as long as it is there, though the next answer is on its way', async () => {
  const { questions } = asking();
  await questions.place();
  const next = questions.place();
  await questions.apply('default/web', 0);
  expect([editor.applied, editor.warnings]).toEqual([1, []]);
  await next;
});

it('says why it applies nothing', async () => {
  const { questions } = asking();
  await questions.apply('default/web', 0);
  expect([editor.applied, editor.warnings]).toEqual([0, [WORKED_OUT_ANEW]]);
  await questions.place();
  await questions.apply('default/other', 0);
  expect([editor.applied, editor.warnings]).toEqual([0, [WORKED_OUT_ANEW, WORKED_OUT_ANEW]]);
  editor.version = 2;
  await questions.apply('default/web', 0);
  expect([editor.applied, editor.warnings.at(-1)]).toEqual([
    0,
    `The text has changed since this was suggested: ${TITLE}`,
  ]);
});

it('tells the page what is tried when something else changes it', async () => {
  const { questions, posted } = asking();
  questions.edited();
  expect(posted).toEqual([]);
  const mover = { kind: 'descheduler', policy: 0, round: 1, now: 0 } as const;
  questions.tryWhatIf({ changes: [], strategy: 'pack', mover });
  questions.trySource('live:kind');
  questions.edited();
  expect(posted).toEqual([
    { type: 'trying', whatIf: { changes: [], strategy: 'pack', mover, source: 'live:kind' } },
    { type: 'trying', whatIf: { changes: [], strategy: 'pack', source: 'live:kind' } },
  ]);
});

it('says which model it has and posts what changed, and a new page begins with a whole model', async () => {
  const lists = { pods: [], nodes: [], workloads: [], steps: [], attempts: [] };
  const slow = { ...lists, whyIsSlow: true };
  const first = { ...slow, attempts: {}, revision: 1 };
  const delta = { since: 1, rest: { whyIsSlow: true, revision: 2 }, lists };
  const { questions, posted, known } = asking(first, delta, { ...first, revision: 3 });
  await questions.place();
  await questions.place();
  questions.pageIsNew();
  await questions.place();
  expect(known).toEqual([0, 1, 0]);
  expect(posted.map(it => it.type)).toEqual(['model', 'change', 'model']);
  await questions.place();
  expect(known.at(-1)).toBe(3);
});
