import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Answers of a real API server; `npm run test:cluster` with RECORD=1 records them again. */
interface Recorded {
  readonly answers: readonly { readonly path: string; readonly status: number; readonly body: unknown }[];
  readonly forbidden: { readonly status: number; readonly body: unknown };
}

const file = join(import.meta.dirname, '../fixtures/cluster/recorded.json');
const { answers, forbidden } = JSON.parse(readFileSync(file, 'utf8')) as Recorded;
const byPath = new Map(answers.map(it => [it.path, it]));

export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** The recorded answer to a path, 404 for all others. */
export function recordedReply(path: string): Reply {
  const found = byPath.get(path.split('?')[0]!);
  return found
    ? { status: found.status, text: JSON.stringify(found.body) }
    : { status: 404, text: '404 page not found' };
}

export const forbiddenReply: Reply = { status: forbidden.status, text: JSON.stringify(forbidden.body) };
