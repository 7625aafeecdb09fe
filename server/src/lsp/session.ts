import type { TextDocument } from 'vscode-languageserver-textdocument';
import { abilitiesOf, type ClientAbilities } from './telling';

/** What holds of one client now: what it can do, where it works, and what it has open. */
export interface Session {
  abilities: ClientAbilities;
  isTrusted: boolean;
  folders: readonly string[];
  /** What was left out. */
  notices: readonly string[];
  settingsProblems: readonly string[];
  /** Open documents by canonical uri; they win over what the disk says. */
  readonly open: Map<string, TextDocument>;
}

/** Before the client has said anything. */
export const newSession = (): Session => ({
  abilities: abilitiesOf({ capabilities: {} }),
  isTrusted: false,
  folders: [],
  notices: [],
  settingsProblems: [],
  open: new Map(),
});
