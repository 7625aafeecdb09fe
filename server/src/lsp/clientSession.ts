import type { TextDocument } from 'vscode-languageserver-textdocument';
import { abilitiesOf, type ClientAbilities } from './notifications';

/** What holds of one client now: what it can do, where it works, and what it has open. */
export interface ClientSession {
  abilities: ClientAbilities;
  isTrusted: boolean;
  folders: readonly string[];
  /** Where the files that are looked at are noted. */
  notePath: string | undefined;
  /** Uris of files that the server is not to look at, since it ended while it did. */
  leftOut: ReadonlySet<string>;
  /** After an end nobody asked for: files are taken one by one, so that the next end has one name. */
  isCareful: boolean;
  /** What was left out. */
  notices: readonly string[];
  settingsProblems: readonly string[];
  /** Resolves when the folders that were open at the start have been read. */
  readonly started: Promise<void>;
  readonly start: () => void;
  /** Whether the client shows lenses whose answer is still worked out. */
  hasPendingLenses: boolean;
  /** Open documents by canonical uri; they win over what the disk says. */
  readonly open: Map<string, TextDocument>;
}

/** Before the client has said anything. */
export function newClientSession(): ClientSession {
  const starting = { done: (): void => undefined };
  const started = new Promise<void>(resolve => {
    starting.done = resolve;
  });
  return { ...UNKNOWN_CLIENT, open: new Map(), started, start: () => starting.done() };
}

const UNKNOWN_CLIENT: Omit<ClientSession, 'open' | 'started' | 'start'> = {
  abilities: abilitiesOf({ capabilities: {} }),
  isTrusted: false,
  folders: [],
  notePath: undefined,
  leftOut: new Set(),
  isCareful: false,
  notices: [],
  settingsProblems: [],
  hasPendingLenses: false,
};
