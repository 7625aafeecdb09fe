import { CodeLensRefreshRequest, type Connection, type InitializeParams } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { AnalysisHost } from '../analysis/analysis';
import { isAtLeastAsBad } from '../analysis/problems';
import type { Problem, Severity } from '../rules/framework/problem';
import { type LinesByUri, toDiagnostic } from './convert';
import {
  changedNotification,
  type ManifestsParams,
  manifestsNotification,
  type StartParams,
  statusNotification,
} from './protocol';

/** The client's capabilities from `initialize`. */
export interface ClientAbilities {
  readonly configuration: boolean;
  readonly configurationChanges: boolean;
  readonly folderChanges: boolean;
  readonly progress: boolean;
  readonly refreshesLenses: boolean;
  readonly refreshesHints: boolean;
  /** Whether it handles `window/showDocument`. */
  readonly showsDocuments: boolean;
  /** Commands of code lenses that the client runs itself. */
  readonly commands: readonly string[];
  /** Whether it answers `berth/mayRun`. */
  readonly remembersConsent: boolean;
}

type Introduction = Pick<InitializeParams, 'capabilities' | 'initializationOptions'>;

export function abilitiesOf({ capabilities, initializationOptions }: Introduction): ClientAbilities {
  const { workspace, window } = capabilities;
  const { commands, remembersConsent } = (initializationOptions ?? {}) as Record<keyof StartParams, unknown>;
  return {
    configuration: workspace?.configuration === true,
    configurationChanges: workspace?.didChangeConfiguration?.dynamicRegistration === true,
    folderChanges: workspace?.workspaceFolders === true,
    progress: window?.workDoneProgress === true,
    refreshesLenses: workspace?.codeLens?.refreshSupport === true,
    refreshesHints: workspace?.inlayHint?.refreshSupport === true,
    showsDocuments: window?.showDocument?.support === true,
    remembersConsent: remembersConsent === true,
    commands: Array.isArray(commands) ? commands.filter(it => typeof it === 'string') : [],
  };
}

export interface NotificationsWorld {
  readonly host: Pick<AnalysisHost, 'analysis' | 'policyNotice'>;
  readonly linesOf: LinesByUri;
  readonly abilities: () => ClientAbilities;
  /** By canonical uri. */
  readonly open: ReadonlyMap<string, Pick<TextDocument, 'uri' | 'version'>>;
  /** Files that were left out, and problems of the settings; one sentence each. */
  readonly notices: () => readonly string[];
  /** Milder problems are not sent. */
  readonly minSeverity: () => Severity;
}

/** Notifications and requests from the server to its client. */
export interface Notifications {
  readonly diagnostics: (uri: string, problems: readonly Problem[]) => void;
  readonly status: () => void;
  /** Updates the status when the policies without answers changed. */
  readonly policiesEvaluated: () => void;
  readonly refreshLenses: () => void;
  /** Has the client request lenses, hints and previews again: they depend on every file of their environment. */
  readonly refreshEverything: () => void;
}

/** A client that refuses to ask again shows what it has. */
const refused = (): void => undefined;

export function createNotifications(connection: Connection, world: NotificationsWorld): Notifications {
  const { host, linesOf, abilities, open, notices, minSeverity } = world;
  const published = new Map<string, { readonly version: number | undefined; readonly text: string }>();
  const reported = { manifests: '', policyNotice: '' };

  function refreshLenses(): void {
    if (abilities().refreshesLenses) connection.sendRequest(CodeLensRefreshRequest.type).catch(refused);
  }

  function manifests(): void {
    const analysis = host.analysis();
    const uris = [...open].filter(([uri]) => analysis.holdsObjects(uri)).map(([, { uri }]) => uri);
    const key = uris.join('\n');
    if (key === reported.manifests) return;
    reported.manifests = key;
    void connection.sendNotification(manifestsNotification, { uris } satisfies ManifestsParams);
  }

  function status(): void {
    const { settings, status } = host.analysis();
    reported.policyNotice = host.policyNotice()?.message ?? '';
    void connection.sendNotification(statusNotification, {
      kubernetesVersion: settings.kubernetesVersion,
      cluster: status.cluster,
      problems: [...notices(), ...status.problems, ...(reported.policyNotice === '' ? [] : [reported.policyNotice])],
      notes: status.notes,
    });
  }

  return {
    diagnostics(uri, problems) {
      const listed = problems.filter(it => isAtLeastAsBad(it.severity, minSeverity()));
      const diagnostics = listed.map(it => toDiagnostic(it, linesOf));
      const version = open.get(uri)?.version;
      const text = JSON.stringify(diagnostics);
      const last = published.get(uri);
      // An open file gets one for each version, because some clients wait for that. More than that is no use, and an editor
      // that is about to show quick fixes drops them to ask again.
      if ((last?.text ?? '[]') === text && (version === undefined || last?.version === version)) return;
      if (host.analysis().text(uri) === undefined) published.delete(uri);
      else published.set(uri, { version, text });
      void connection.sendDiagnostics({ uri, diagnostics, ...(version !== undefined && { version }) });
    },
    status,
    policiesEvaluated() {
      if ((host.policyNotice()?.message ?? '') !== reported.policyNotice) status();
    },
    refreshLenses,
    refreshEverything() {
      refreshLenses();
      if (abilities().refreshesHints) connection.languages.inlayHint.refresh().catch(refused);
      void connection.sendNotification(changedNotification);
      manifests();
    },
  };
}
