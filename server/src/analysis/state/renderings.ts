import { t } from '../../base/l10n';
import type { ManifestFile } from '../../manifest/manifest';
import type { Problem } from '../../rules/framework/problem';
import { NOT_RENDERED, RENDER_FAILED } from '../../rules/metas/render';
import { lineEnd } from '../../text/lineEnd';
import { lineIndex } from '../../text/lineIndex';
import type { Span } from '../../text/span';
import { filesUsed } from '../../workspace/kustomize';
import { folderOf, isBelow } from '../../workspace/paths';
import { helmOrigin } from '../../workspace/rendered/helmOrigin';
import { kustomizeOrigin, type Origin } from '../../workspace/rendered/kustomizeOrigin';
import { isRenderedUri, renderedUri } from '../../workspace/rendered/names';
import type { Rendering } from '../../workspace/rendered/render';
import type { Snapshot } from '../../workspace/workspace';

/** Results of rendering, by the uri of the kustomization or the chart. */
export type Renderings = ReadonlyMap<string, Rendering>;

/** The renderings after some jobs finished, and the virtual documents that changed with them. */
export function renderingsAfter(
  renderings: Renderings,
  {
    rendered = [],
    unrendered = [],
  }: { readonly rendered?: readonly Rendering[]; readonly unrendered?: readonly string[] },
): {
  readonly renderings: Renderings;
  readonly files: readonly { readonly uri: string; readonly text: string | undefined }[];
} {
  if (rendered.length === 0 && unrendered.length === 0) return { renderings, files: [] };
  const all = new Map(renderings);
  const gone = unrendered.filter(it => all.delete(it)).map(it => ({ uri: renderedUri(folderOf(it)), text: undefined }));
  const made = rendered.map(it => ({ uri: renderedUri(it.job.folder), text: 'text' in it ? it.text : undefined }));
  for (const it of rendered) all.set(it.job.source, it);
  return { renderings: all, files: [...gone, ...made] };
}

/** Problems of a file that could not be rendered. */
function renderProblems(renderings: Renderings, { uri, text }: ManifestFile): readonly Problem[] {
  return [...renderings.values()].flatMap(it => {
    if (!('failure' in it) || it.failure.uri !== uri) return [];
    const { kind, message, headline, line } = it.failure;
    const { code, category, severity } = kind === 'failed' ? RENDER_FAILED : NOT_RENDERED;
    const layers = headline === undefined ? {} : { headline, detail: message };
    const span = lineSpan(text, line ?? 0);
    return [{ code, category, severity, message, ...layers, uri, span, related: [], fixes: [] }];
  });
}

function lineSpan(text: string, line: number): Span {
  const start = lineIndex(text).offset({ line, character: 0 });
  return { start, end: lineEnd(text, start) };
}

/**
 * Problems of a source file: failed rendering, and problems in the documents that are rendered from it.
 * @param diagnose The problems of a virtual document.
 */
export function problemsOfSources(
  { snapshot, renderings }: { readonly snapshot: Snapshot; readonly renderings: Renderings },
  diagnose: (uri: string) => readonly Problem[],
): (file: ManifestFile) => readonly Problem[] {
  const mapped = new Map<string, readonly Problem[]>();
  const ofRendered = (uri: string): readonly Problem[] => {
    const file = snapshot.files.get(uri);
    const found = mapped.get(uri) ?? (file === undefined ? [] : atTheirSources(diagnose(uri), file, snapshot));
    mapped.set(uri, found);
    return found;
  };
  return file => [
    ...renderProblems(renderings, file),
    ...snapshot.roles
      .renderedFrom(file.uri)
      .flatMap(it => ofRendered(it.rendered))
      .filter(it => it.uri === file.uri),
  ];
}

/** `uris` with each virtual document replaced by the source files that it may come from. */
export function writtenFor(uris: readonly string[], snapshots: () => readonly Snapshot[]): readonly string[] {
  const rendered = new Set(uris.filter(isRenderedUri));
  if (rendered.size === 0) return uris;
  const written = uris.filter(it => !rendered.has(it));
  return [...new Set([...written, ...snapshots().flatMap(it => filesBehind(rendered, it))])];
}

/** The source files of some virtual documents. */
function filesBehind(rendered: ReadonlySet<string>, { files, roles }: Snapshot): readonly string[] {
  const { kustomizations, charts } = roles;
  const folders = [...charts].filter(it => rendered.has(renderedUri(it)));
  const ofCharts = folders.length === 0 ? [] : [...files.keys()].filter(uri => folders.some(it => isBelow(uri, it)));
  const ofKustomizations = kustomizations.roots
    .filter(it => rendered.has(renderedUri(it.folder)))
    .flatMap(it => filesUsed(it, kustomizations).flatMap(files => [...files]));
  return [...ofCharts, ...ofKustomizations];
}

/**
 * The problems of a virtual document at the source locations of their causes, with the rendered location as related
 * information. They have no fixes, because those would edit the virtual text.
 */
function atTheirSources(problems: readonly Problem[], rendered: ManifestFile, snapshot: Snapshot): readonly Problem[] {
  const source = snapshot.roles.sources.get(rendered.uri);
  if (source === undefined) return [];
  return problems.flatMap(problem => {
    const origin = originOf(problem, rendered, source, snapshot);
    if (origin === undefined) return [];
    const { document: _, item: _item, fixes: _fixes, ...rest } = problem;
    const document = snapshot.files.get(origin.uri)?.documents.find(it => isIn(it.span, origin.span));
    const related = [
      { uri: rendered.uri, span: problem.span, message: t('what is rendered from it') },
      ...problem.related,
    ];
    const overlay = snapshot.roles.overlayOf(source);
    return [
      {
        ...rest,
        ...origin,
        ...(document && { document: document.index }),
        ...(overlay && { overlays: { names: [overlay.name], of: overlay.of } }),
        related,
        fixes: [],
      },
    ];
  });
}

const isIn = (outer: Span, inner: Span): boolean => outer.start <= inner.start && inner.start <= outer.end;

function originOf(problem: Problem, rendered: ManifestFile, source: string, snapshot: Snapshot): Origin | undefined {
  const objects = snapshot.objectsIn(rendered.uri);
  const object = objects.find(
    ({ manifest }) => manifest.document === problem.document && manifest.item === problem.item,
  );
  if (object === undefined) return undefined;
  const root = snapshot.roles.kustomizations.kustomizations.get(source);
  if (root === undefined) {
    const chart = { folder: folderOf(source), source };
    return helmOrigin({ object: object.manifest, span: problem.span }, rendered, chart, snapshot.files);
  }
  const at = object.manifest.pathAt(problem.span.start);
  return at && kustomizeOrigin(object, at, root, snapshot);
}
