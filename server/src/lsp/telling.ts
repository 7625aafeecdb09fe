import { CodeLensRefreshRequest, type Connection, type InitializeParams } from 'vscode-languageserver/node';
import type { AnalysisHost } from '../analysis/analysis';
import type { Problem } from '../rules/problem';
import { type LinesOf, toDiagnostic } from './convert';
import { changedNotification, statusNotification } from './protocol';

/** What a client said it can do. */
export interface ClientAbilities {
  readonly configuration: boolean;
  readonly configurationChanges: boolean;
  readonly progress: boolean;
  readonly refreshesLenses: boolean;
  readonly refreshesHints: boolean;
}

export function abilitiesOf({ capabilities }: Pick<InitializeParams, 'capabilities'>): ClientAbilities {
  const { workspace, window } = capabilities;
  return {
    configuration: workspace?.configuration === true,
    configurationChanges: workspace?.didChangeConfiguration?.dynamicRegistration === true,
    progress: window?.workDoneProgress === true,
    refreshesLenses: workspace?.codeLens?.refreshSupport === true,
    refreshesHints: workspace?.inlayHint?.refreshSupport === true,
  };
}

export interface TellingWorld {
  readonly host: AnalysisHost;
  readonly linesOf: LinesOf;
  readonly abilities: () => ClientAbilities;
  /** Of an open document; undefined: nobody looks at it. */
  readonly versionOf: (uri: string) => number | undefined;
  /** What was left out and what is wrong with the settings. */
  readonly notices: () => readonly string[];
}

/** What the server says to its client without being asked. */
export interface Telling {
  readonly diagnostics: (uri: string, problems: readonly Problem[]) => void;
  readonly status: () => void;
  readonly lensesAged: () => void;
  /** Lenses, hints and previews hang on every file of their environment, so they are to be asked for anew. */
  readonly everythingAged: () => void;
}

export function createTelling(connection: Connection, world: TellingWorld): Telling {
  const { host, linesOf, abilities, versionOf, notices } = world;
  const published = new Map<string, string>();

  function lensesAged(): void {
    if (abilities().refreshesLenses) void connection.sendRequest(CodeLensRefreshRequest.type);
  }

  return {
    diagnostics(uri, problems) {
      const diagnostics = problems.map(it => toDiagnostic(it, linesOf));
      const version = versionOf(uri);
      const key = JSON.stringify(diagnostics);
      // Of a file that nobody looks at, silence says that all is well and a repetition says nothing; an open one is
      // answered for each of its versions, as some clients wait for that.
      if (version === undefined && (published.get(uri) ?? '[]') === key) return;
      if (host.analysis().text(uri) === undefined) published.delete(uri);
      else published.set(uri, key);
      void connection.sendDiagnostics({ uri, diagnostics, ...(version !== undefined && { version }) });
    },
    status() {
      const { settings, status } = host.analysis();
      const policyNotice = host.policyNotice();
      void connection.sendNotification(statusNotification, {
        kubernetesVersion: settings.kubernetesVersion,
        cluster: status.cluster,
        problems: [...notices(), ...status.problems, ...(policyNotice === undefined ? [] : [policyNotice])],
      });
    },
    lensesAged,
    everythingAged() {
      lensesAged();
      if (abilities().refreshesHints) void connection.languages.inlayHint.refresh();
      void connection.sendNotification(changedNotification);
    },
  };
}
