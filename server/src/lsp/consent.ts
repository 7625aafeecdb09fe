import type { Connection } from 'vscode-languageserver/node';
import { t } from '../base/l10n';
import type { ClientAbilities } from './notifications';
import { type MayRunAnswer, type MayRunParams, mayRunRequest } from './protocol';

/**
 * Asks the user whether a program may be run for credentials of a cluster that a berth.yaml names. Clients that remember
 * consent answer by themselves. Other clients show a message, once for each program and folder. Never rejects: no answer
 * counts as no.
 */
export function createConsent(
  connection: Connection,
  abilities: () => ClientAbilities,
): (params: MayRunParams) => Promise<MayRunAnswer> {
  const answers = new Map<string, Promise<MayRunAnswer>>();
  return async params => {
    try {
      if (abilities().remembersConsent) return isYes(await connection.sendRequest<unknown>(mayRunRequest, params));
      const key = JSON.stringify([params.folder, params.program]);
      const answer = answers.get(key) ?? askOnce(connection, params);
      answers.set(key, answer);
      return await answer;
    } catch {
      return 'no';
    }
  };
}

const isYes = (answer: unknown): MayRunAnswer => (answer === 'yes' ? 'yes' : 'no');

async function askOnce({ window }: Connection, { folder, program }: MayRunParams): Promise<MayRunAnswer> {
  const run = t('Run');
  const question = t(
    'berth.yaml of {0} names a live cluster, whose credentials come from this program: {1}',
    folder,
    program,
  );
  const answer = await window.showWarningMessage(question, { title: run }, { title: t('Do not run') });
  return answer?.title === run ? 'yes' : 'no';
}
