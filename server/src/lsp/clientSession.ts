import type { TextDocument } from 'vscode-languageserver-textdocument';
import { abilitiesOf, type ClientAbilities } from './notifications';
import { EVERYTHING, type Listing } from './settings';

/** The state of one client: capabilities, folders, trust and open documents. */
export interface ClientSession {
  abilities: ClientAbilities;
  isTrusted: boolean;
  folders: readonly string[];
  /** The path of the note with the files that are being processed. */
  notePath: string | undefined;
  /** Uris of files that are left out, because the server crashed on them. */
  leftOut: ReadonlySet<string>;
  /** After a crash: files are processed one by one, so that the next crash has one cause. */
  isCareful: boolean;
  /** Sentences about files that were left out. */
  notices: readonly string[];
  settingsProblems: readonly string[];
  /** Makes the pages of codes be in the language of the client; to be called before one is shown. */
  learnPages: () => void;
  /** Which problems the client gets. */
  listing: Listing;
  /** Resolves when the folders that were open at the start have been read. */
  readonly started: Promise<void>;
  readonly hasStarted: () => boolean;
  readonly start: () => void;
  /** Resolves when the index is up to date with the disk; undefined: it is. At first that is when the session has started. */
  reading: Promise<void> | undefined;
  /** Whether the client shows lenses that are still pending. */
  hasPendingLenses: boolean;
  /** Open documents by canonical uri; they take precedence over files on disk. */
  readonly open: Map<string, TextDocument>;
}

/** The state before `initialize`. */
export function newClientSession(): ClientSession {
  const starting = { done: (): void => undefined, isDone: false };
  const started = new Promise<void>(resolve => {
    starting.done = resolve;
  });
  const session: ClientSession = {
    ...UNKNOWN_CLIENT,
    open: new Map(),
    started,
    hasStarted: () => starting.isDone,
    start() {
      starting.isDone = true;
      if (session.reading === started) session.reading = undefined;
      starting.done();
    },
    reading: started,
  };
  return session;
}

const UNKNOWN_CLIENT: Omit<ClientSession, 'open' | 'started' | 'hasStarted' | 'start' | 'reading'> = {
  abilities: abilitiesOf({ capabilities: {} }),
  isTrusted: false,
  folders: [],
  notePath: undefined,
  leftOut: new Set(),
  isCareful: false,
  notices: [],
  settingsProblems: [],
  learnPages: () => undefined,
  listing: EVERYTHING,
  hasPendingLenses: false,
};
