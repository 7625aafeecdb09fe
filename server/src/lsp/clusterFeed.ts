import {
  type ClusterContent,
  type ClusterRequest,
  contentOfFile,
  loadingContent,
  unreachable,
} from '../analysis/clusters';
import type { LiveOptions, LiveSession } from '../live/main';
import type { FileReach } from './disk';
import type { MayRunAnswer, MayRunParams } from './protocol';

/** What reading clusters needs of the outside. */
export interface ClusterWorld {
  /** The text of a source's file (a uri, or a path as the settings have it), where it lies within reach. */
  readonly readSource: (
    file: string,
    reach: FileReach,
  ) => Promise<{ readonly text: string } | { readonly failure: string }>;
  /** Follows a live cluster. The client of such is loaded by the first call. */
  readonly follow: (options: LiveOptions, onContent: (content: ClusterContent) => void) => LiveSession;
  /** Whether the user has a kubeconfig; nothing is read for that. */
  readonly hasKubeconfig: () => boolean;
  /** Contexts of the user's own kubeconfig. Throws an Error whose message is half a sentence. */
  readonly contexts: () => { readonly contexts: readonly string[]; readonly current?: string };
}

/** What a feed needs beside: the uris of the folders that are open, and the user's word on programs. */
export interface FeedWorld extends ClusterWorld {
  readonly folders: () => readonly string[];
  /** Whether a program may be run for the credentials of a cluster that a berth.yaml names. Never rejects. */
  readonly mayRun: (params: MayRunParams) => Promise<MayRunAnswer>;
}

export type Trust = 'trusted' | 'untrusted';

/** Fetches what the environments want to know of clusters, and goes on telling it. */
export interface ClusterFeed {
  /** Opens what is wanted and not open yet, and closes what nobody wants any more. */
  reconcile(requests: readonly ClusterRequest[], minor: string): void;
  /** Reads anew the sources whose file is one of some that changed. */
  filesChanged(uris: readonly string[]): void;
  trust(trust: Trust): void;
  /** The user takes back what was allowed: nothing is run any more, and nobody is asked before the next refresh. */
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
  tell: (key: string, content: ClusterContent | undefined) => void,
): ClusterFeed {
  const sources = new Map<string, Source>();
  const state: Circumstances = { minor: '', trust: 'untrusted' };

  const open = (request: ClusterRequest): void => {
    const onContent = (content: ClusterContent): void => {
      if (sources.get(request.key)?.request === request) tell(request.key, content);
    };
    // The source must be known before it tells anything.
    sources.set(request.key, { request, session: IDLE });
    sources.set(request.key, { request, session: sessionOf(request, world, state, onContent) });
  };

  const closeOne = (key: string): void => {
    sources.get(key)?.session.close();
    sources.delete(key);
    tell(key, undefined);
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
      for (const { request, session } of sources.values()) {
        if ('file' in request.source && uris.includes(request.source.file)) session.refresh();
      }
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

/** What decides how sources are read. */
interface Circumstances {
  minor: string;
  trust: Trust;
}

type OnContent = (content: ClusterContent) => void;

function sessionOf(request: ClusterRequest, world: FeedWorld, now: Circumstances, onContent: OnContent): Session {
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
 * Follows a cluster that a berth.yaml names. What would be run for its credentials is asked about first, and only what was
 * agreed on is run: another command of a kubeconfig that has changed is another question.
 */
function followAsking(asker: Omit<MayRunParams, 'program'>, world: FeedWorld, onContent: OnContent): Session {
  const { folder: _, ...context } = asker;
  const state = { session: IDLE, isOpen: true, isQuiet: false, asked: undefined as string | undefined };

  function follow(plugins: LiveOptions['plugins']): void {
    state.session.close();
    state.session = world.follow({ ...context, plugins }, content => {
      onContent(content.program === undefined ? content : unreachable(`${content.reason} (${HOW_TO_ALLOW})`));
      if (content.program !== undefined && !state.isQuiet) void ask(content.program);
    });
  }

  async function ask(program: string): Promise<void> {
    if (state.asked === program) return;
    state.asked = program;
    const answer = await world.mayRun({ ...asker, program });
    state.asked = undefined;
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

/** A file is read at once, and again at each refresh, for the minor of then. */
function readAgain(
  { source, origin }: FileRequest,
  world: FeedWorld,
  now: Readonly<Circumstances>,
  onContent: OnContent,
): LiveSession {
  const read = async (): Promise<void> => {
    // A path in berth.yaml is the repository's word, one in the settings is the user's.
    const isAnywhere = origin === 'settings' || now.trust === 'trusted';
    const answer = await world.readSource(source.file, isAnywhere ? 'anywhere' : world.folders());
    onContent('failure' in answer ? unreachable(answer.failure) : contentOfFile(source.from, answer.text, now.minor));
  };
  onContent(loadingContent);
  void read();
  return { refresh: () => void read(), close: () => undefined };
}

const IDLE: LiveSession = { refresh: () => undefined, close: () => undefined };
