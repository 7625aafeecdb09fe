import type { MayRunAnswer, MayRunParams } from '../../server/src/lsp/protocol';

/** Where answers are kept from one start of the editor to the next, as `vscode.Memento` does. */
export interface ConsentStore {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** What the user said of programs that a repository would have run for the credentials of a cluster. */
export interface Consents {
  /** What was said before, else what is said now; no answer counts as no, and is not kept. */
  readonly answer: (params: MayRunParams) => Promise<MayRunAnswer>;
  /** How many programs may be run. */
  readonly allowed: () => number;
  readonly forget: () => Promise<void>;
}

interface Said {
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
      const said = kept(memory).find(it => it.folder === folder && it.program === program);
      if (said !== undefined) return said.answer;
      // One question at a time for one program, however often the server asks.
      const key = JSON.stringify([folder, program]);
      const asked = pending.get(key) ?? askAndKeep(params).finally(() => pending.delete(key));
      pending.set(key, asked);
      return asked;
    },
    allowed: () => kept(memory).filter(it => it.answer === 'yes').length,
    forget: async () => memory.update(KEY, undefined),
  };
}

/** What another version of Berth kept in another form is not understood, and asked again. */
function kept(memory: ConsentStore): readonly Said[] {
  const all = memory.get(KEY);
  return Array.isArray(all) ? all.filter(isSaid) : [];
}

function isSaid(it: unknown): it is Said {
  const { folder, program, answer } = (it ?? {}) as Record<keyof Said, unknown>;
  return typeof folder === 'string' && typeof program === 'string' && (answer === 'yes' || answer === 'no');
}
