import { elided } from '../../base/shortened';
import { folderOf, resolveIn } from '../paths';
import type { RenderJob } from './jobs';
import { RENDER_LIMITS, type ToolResult } from './run';

/** Why there is no output, and the location of the cause according to the tool. */
export interface Failure {
  readonly kind: 'missing' | 'leftAlone' | 'failed';
  readonly message: string;
  /** The first sentence of the message, if that is long. */
  readonly headline?: string;
  readonly uri: string;
  /** From 0, if the tool gives one. */
  readonly line?: number;
}

/** The error in one sentence, with the tool's own message. `command` was started, or was not found. */
export function failureOf(job: RenderJob, command: string, ran: ToolResult): Failure {
  const at = { uri: job.source };
  if (ran.end === 'missing') {
    const message = `${UNRENDERED[job.tool]}: that needs ${command} on the PATH.`;
    return { kind: 'missing', message, ...at };
  }
  const failed = { kind: 'failed' as const, ...at };
  if (ran.end !== 'exited') return { ...failed, message: `${command} was stopped: ${STOPPED[ran.end]}.` };
  if (UNVENDORED.test(ran.err))
    return skippedFailure(job, 'helm would have to fetch its dependencies (`helm dependency build`)');
  const words = wordsOf(ran.err);
  if (words === '') return { ...failed, message: `${command} failed: exit code ${ran.code}, without a message` };
  const cause = causeIn(words);
  const headline = cause === words ? undefined : `${command} failed: ${cause}`;
  return {
    ...failed,
    message: `${command} failed: ${words}`,
    ...(headline && { headline }),
    ...locationOf(job, ran.err),
  };
}

/** Upstream: helm.sh/helm/v3/pkg/action.CheckDependencies */
const UNVENDORED = /missing in charts\/ directory/;

/** The failure of a job that Berth does not run. */
export function skippedFailure({ source, tool }: RenderJob, obstacle: string): Failure {
  return {
    kind: 'leftAlone',
    message: `${UNRENDERED[tool]}: ${obstacle}, which Berth does not let it do.`,
    uri: source,
  };
}

const UNRENDERED = {
  kustomize: 'This kustomization is judged as it is written, and not as it is built',
  helm: 'The templates of this chart are not judged, as they are not rendered',
} as const;

const STOPPED = {
  timeout: `it took more than ${RENDER_LIMITS.timeout / 1000} seconds`,
  tooMuch: `it printed more than ${RENDER_LIMITS.maxBytes / 1024 / 1024} MiB`,
} as const;

const LONGEST = 600;

/** Lines about the tool itself: warnings, klog's prefixes, hints. */
const TOOL_NOISE = /^(?:#\s*)?warning\b|^[IWE]\d{4} |^ >$|^Use --debug/i;

/** kubectl's last words, as klog writes them: `E1123 18:22:11.501511 28854 run.go:72] "command failed" err="…"`. */
const KUBECTL_ERROR = /^E\d{4} .*?"command failed" err=("(?:[^"\\]|\\.)*")$/gm;

const ESCAPE = '\u001b';
const COLOUR = new RegExp(`${ESCAPE}\\[[\\d;]*[A-Za-z]`, 'g');

/** A text that Go's `%q` wrote. */
function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1).replaceAll('\\"', '"');
  }
}

/**
 * The cause in a chain of kustomize's errors, which tells it between what it tried before and after.
 * Upstream: sigs.k8s.io/kustomize/api/internal/target.KustTarget.accumulateResources
 */
function causeIn(words: string): string {
  const inner = /accumulation err='(.*)': must build at directory: /.exec(words)?.[1] ?? words;
  return inner
    .replace(/^(?:(?:accumulating|merging) resources: )*(?:accumulating|merging) resources from '([^']+)': /, '$1: ')
    .replace(/evalsymlink failure on '[^']*' : lstat \S+: /, '');
}

/** The tool's error without lines about the tool itself, as one line. */
function wordsOf(err: string): string {
  const plain = err.replace(COLOUR, '').replace(KUBECTL_ERROR, (_all, quoted: string) => unquoted(quoted));
  const lines = plain.split('\n').filter(it => it.trim() !== '' && !TOOL_NOISE.test(it));
  const words = lines
    .join(' ')
    .replace(/^error:\s*/i, '')
    .replace(/\s+/g, ' ')
    .trim();
  return elided(words, LONGEST);
}

/** helm writes CHART/templates/FILE:LINE, or the file and then a line of YAML; kustomize a file and a line. */
const LOCATIONS: readonly { readonly pattern: RegExp; readonly from: 'chart' | 'folder' }[] = [
  { pattern: /(?:template: |at \()([\w.-]+\/[^\s:]+):(\d+)/, from: 'chart' },
  { pattern: /YAML parse error on ([\w.-]+\/[^\s:]+):.*?line (\d+)/s, from: 'chart' },
  { pattern: /yaml: line (\d+).*? in File: ([^\s:]+)/, from: 'folder' },
];

function locationOf({ folder }: RenderJob, err: string): Partial<Pick<Failure, 'uri' | 'line'>> {
  for (const { pattern, from } of LOCATIONS) {
    const found = pattern.exec(err);
    if (found === null) continue;
    const [file, line] = from === 'chart' ? [found[1]!, found[2]!] : [found[2]!, found[1]!];
    const path = from === 'chart' ? file.slice(file.indexOf('/') + 1) : file;
    // The line of a parse error is in the output, not in the template.
    const isTemplateLine = !pattern.source.startsWith('YAML');
    return { uri: resolveIn(folder, path), ...(isTemplateLine && { line: Number(line) - 1 }) };
  }
  const named = /in (?:file|File:?) '?([^\s':]+\.ya?ml)/.exec(err)?.[1];
  return named === undefined || folderOf(named).startsWith('/') ? {} : { uri: resolveIn(folder, named) };
}
