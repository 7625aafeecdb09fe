import type { MayRunAnswer, MayRunParams } from '../../server/src/lsp/protocol';

/** Where answers are kept from one start of the editor to the next, as `vscode.Memento` does. */
export interface ConsentStore {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** The user’s answers about programs that a repository’s kubeconfig context runs for credentials. */
export interface Consents {
  /** The stored answer, else the user’s answer now. A closed question counts as no and is not stored. */
  readonly answer: (params: MayRunParams) => Promise<MayRunAnswer>;
  /** How many programs may be run. */
  readonly allowed: () => number;
  readonly forget: () => Promise<void>;
}

interface StoredAnswer {
  readonly folder: string;
  readonly program: string;
  readonly answer: MayRunAnswer;
}

const KEY = 'berth.consents';

/** @param ask asks the user; undefined: the question was closed without an answer */
export function createConsents(
  memory: ConsentStore,
  ask: (params: MayRunParams) => PromiseLike<MayRunAnswer | undefined>,
): Consents {
  const pending = new Map<string, Promise<MayRunAnswer>>();

  async function askAndKeep({ folder, program, ...rest }: MayRunParams): Promise<MayRunAnswer> {
    const answer = await ask({ folder, program, ...rest });
    if (answer !== undefined) await memory.update(KEY, [...kept(memory), { folder, program, answer }]);
    return answer ?? 'no';
  }

  return {
    async answer(params) {
      const { folder, program } = params;
      const stored = kept(memory).find(it => it.folder === folder && it.program === program);
      if (stored !== undefined) return stored.answer;
      // One question at a time for one program, however often the server asks.
      const key = JSON.stringify([folder, program]);
      const answer = pending.get(key) ?? askAndKeep(params).finally(() => pending.delete(key));
      pending.set(key, answer);
      return answer;
    },
    allowed: () => kept(memory).filter(it => it.answer === 'yes').length,
    forget: async () => memory.update(KEY, undefined),
  };
}

/** Answers that another version of Berth stored in another form are ignored, and asked for again. */
function kept(memory: ConsentStore): readonly StoredAnswer[] {
  const all = memory.get(KEY);
  return Array.isArray(all) ? all.filter(isStoredAnswer) : [];
}

function isStoredAnswer(it: unknown): it is StoredAnswer {
  const { folder, program, answer } = (it ?? {}) as Record<keyof StoredAnswer, unknown>;
  return typeof folder === 'string' && typeof program === 'string' && (answer === 'yes' || answer === 'no');
}
