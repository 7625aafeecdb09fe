import {
  type ClusterContent,
  type ClusterRequest,
  contentOfFile,
  loadingContent,
  unreachable,
} from '../analysis/clusters';
import type { LiveOptions, LiveSession } from '../live/main';
import { atOrBelow } from './atOrBelow';
import type { FileReach } from './disk';
import type { MayRunAnswer, MayRunParams } from './protocol';

/** What reading clusters needs from outside. */
export interface ClusterWorld {
  /** The text of a source's file (a uri, or a path from the settings) within reach. */
  readonly readSource: (
    file: string,
    reach: FileReach,
  ) => Promise<{ readonly text: string } | { readonly failure: string }>;
  /** Follows a live cluster. The first call loads the client. */
  readonly follow: (options: LiveOptions, onContent: (content: ClusterContent) => void) => LiveSession;
  /** Whether the user has a kubeconfig. Does not read it. */
  readonly hasKubeconfig: () => boolean;
  /** Contexts of the user's own kubeconfig. Throws an Error whose message is half a sentence. */
  readonly contexts: () => { readonly contexts: readonly string[]; readonly current?: string };
}

/** What a feed needs besides: the uris of open folders, and the user's consent to run programs. */
export interface FeedWorld extends ClusterWorld {
  readonly folders: () => readonly string[];
  /** Whether a program may be run for credentials of a cluster that a berth.yaml names. Never rejects. */
  readonly mayRun: (params: MayRunParams) => Promise<MayRunAnswer>;
}

export type Trust = 'trusted' | 'untrusted';

/** Fetches the requested clusters and keeps reporting their content. */
export interface ClusterFeed {
  /** Opens new requests and closes sources that are no longer requested. */
  reconcile(requests: readonly ClusterRequest[], minor: string): void;
  /** Reads sources again whose file changed, by itself or with a folder around it. */
  filesChanged(uris: readonly string[]): void;
  /** Reads files again: other folders are open, so that other files may be read. */
  reachChanged(): void;
  trust(trust: Trust): void;
  /** The user withdraws all consent: no program is run, and the user is not asked before the next refresh. */
  forgetConsent(): void;
  refresh(): void;
  close(): void;
}

interface Source {
  readonly request: ClusterRequest;
  readonly session: Session;
}

interface Session extends LiveSession {
  forgetConsent?(): void;
}

export function createClusterFeed(
  world: FeedWorld,
  report: (key: string, content: ClusterContent | undefined) => void,
): ClusterFeed {
  const sources = new Map<string, Source>();
  const state: ReadingConditions = { minor: '', trust: 'untrusted' };

  const open = (request: ClusterRequest): void => {
    const onContent = (content: ClusterContent): void => {
      if (sources.get(request.key)?.request === request) report(request.key, content);
    };
    // The source must be registered before it reports content.
    sources.set(request.key, { request, session: IDLE });
    sources.set(request.key, { request, session: sessionOf(request, world, state, onContent) });
  };

  const closeOne = (key: string): void => {
    sources.get(key)?.session.close();
    sources.delete(key);
    report(key, undefined);
  };

  return {
    reconcile(requests, minor) {
      const wanted = new Map(requests.map(it => [it.key, it]));
      const isOther = minor !== state.minor;
      state.minor = minor;
      for (const [key, { request }] of [...sources]) {
        const now = wanted.get(key);
        if (now === undefined || now.origin !== request.origin) closeOne(key);
        else if (isOther && request.source.from === 'kind') sources.get(key)?.session.refresh();
      }
      for (const request of wanted.values()) if (!sources.has(request.key)) open(request);
    },
    filesChanged(uris) {
      const isChanged = atOrBelow(uris);
      for (const { request, session } of sources.values()) {
        if ('file' in request.source && isChanged(request.source.file)) session.refresh();
      }
    },
    reachChanged() {
      for (const { request, session } of sources.values()) if ('file' in request.source) session.refresh();
    },
    trust(trust) {
      if (trust === state.trust) return;
      state.trust = trust;
      for (const [key, { request, session }] of [...sources]) {
        if (request.source.from !== 'live' && request.origin === 'settings') continue;
        session.close();
        sources.delete(key);
        open(request);
      }
    },
    forgetConsent() {
      for (const { session } of sources.values()) session.forgetConsent?.();
    },
    refresh() {
      for (const { session } of sources.values()) session.refresh();
    },
    close() {
      for (const { session } of sources.values()) session.close();
      sources.clear();
    },
  };
}

/** Affects how sources are read. */
interface ReadingConditions {
  minor: string;
  trust: Trust;
}

type OnContent = (content: ClusterContent) => void;

function sessionOf(request: ClusterRequest, world: FeedWorld, now: ReadingConditions, onContent: OnContent): Session {
  const { source, origin } = request;
  if (source.from !== 'live') return readAgain({ ...request, source }, world, now, onContent);
  if (now.trust === 'untrusted' && origin === 'configuration') {
    onContent(unreachable('a live cluster that berth.yaml names is asked in trusted workspaces only'));
    return IDLE;
  }
  const context = source.context === undefined ? {} : { context: source.context };
  if (origin === 'configuration') return followAsking({ folder: request.folder ?? '', ...context }, world, onContent);
  const plugins = now.trust === 'trusted' ? 'allowed' : 'refused';
  return world.follow({ ...context, plugins }, onContent);
}

/**
 * Follows a cluster that a berth.yaml names. The user is asked before a program is run for its credentials. Consent is for
 * one command: a changed kubeconfig with another command needs new consent.
 */
function followAsking(asker: Omit<MayRunParams, 'program'>, world: FeedWorld, onContent: OnContent): Session {
  const { folder: _, ...context } = asker;
  const state = { session: IDLE, isOpen: true, isQuiet: false, askedProgram: undefined as string | undefined };

  function follow(plugins: LiveOptions['plugins']): void {
    state.session.close();
    state.session = world.follow({ ...context, plugins }, content => {
      onContent(content.program === undefined ? content : unreachable(`${content.reason} (${HOW_TO_ALLOW})`));
      if (content.program !== undefined && !state.isQuiet) void ask(content.program);
    });
  }

  async function ask(program: string): Promise<void> {
    if (state.askedProgram === program) return;
    state.askedProgram = program;
    const answer = await world.mayRun({ ...asker, program });
    state.askedProgram = undefined;
    if (answer === 'yes' && state.isOpen && !state.isQuiet) follow({ only: program });
  }

  follow('refused');
  return {
    refresh() {
      state.isQuiet = false;
      state.session.refresh();
    },
    forgetConsent() {
      state.isQuiet = true;
      follow('refused');
    },
    close() {
      state.isOpen = false;
      state.session.close();
    },
  };
}

const HOW_TO_ALLOW = 'berth.yaml names this cluster, and nobody has allowed that; refresh the cluster to be asked';

interface FileRequest {
  readonly source: Exclude<ClusterRequest['source'], { readonly from: 'live' }>;
  readonly origin: ClusterRequest['origin'];
}

/** Reads a file now and at each refresh, for the current minor. The newest read counts, in whatever order they end. */
function readAgain(
  { source, origin }: FileRequest,
  world: FeedWorld,
  now: Readonly<ReadingConditions>,
  onContent: OnContent,
): LiveSession {
  const state = { reads: 0 };
  const read = async (): Promise<void> => {
    const number = ++state.reads;
    // A path in berth.yaml comes from the repository, one in the settings from the user.
    const isAnywhere = origin === 'settings' || now.trust === 'trusted';
    const answer = await world.readSource(source.file, isAnywhere ? 'anywhere' : world.folders());
    if (number !== state.reads) return;
    onContent('failure' in answer ? unreachable(answer.failure) : contentOfFile(source.from, answer.text, now.minor));
  };
  onContent(loadingContent);
  void read();
  return {
    refresh: () => void read(),
    close() {
      state.reads += 1;
    },
  };
}

const IDLE: LiveSession = { refresh: () => undefined, close: () => undefined };
