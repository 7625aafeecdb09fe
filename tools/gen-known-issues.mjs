// The data and the page of the known issues, from the entries in server/src/rules/knownIssues/entries.
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'server/src/rules/knownIssues');

/** The paths of the files with the data. */
export const DATA = /knownIssues.(?:checks|texts)\.json$/;

/** What is said of an issue; everything else is needed to look for it. */
const TEXTS = ['title', 'text', 'advice', 'assumes', 'links'];

/** The entries by their names. */
export async function entries() {
  const names = (await readdir(join(folder, 'entries'))).filter(it => it.endsWith('.yaml')).sort();
  const texts = await Promise.all(names.map(it => readFile(join(folder, 'entries', it), 'utf8')));
  return names.map((name, i) => ({ id: basename(name, '.yaml'), ...parse(texts[i]) }));
}

/** Path → text: an entry is a line, so that entries of two branches merge. */
export function dataFiles(all) {
  const picked = isPicked =>
    all.map(it => Object.fromEntries(Object.entries(it).filter(([key]) => key === 'id' || isPicked(key))));
  const text = list => `[\n${list.map(it => JSON.stringify(it)).join(',\n')}\n]\n`;
  return new Map([
    [join(folder, 'checks.json'), text(picked(key => !TEXTS.includes(key)))],
    [join(folder, 'texts.json'), text(picked(key => TEXTS.includes(key)))],
  ]);
}

/**
 * What is no entry: `code` says it of `object` at `version` (with `gates`), and not at `otherwise`; or nothing does, and
 * `why` says why not.
 */
const elsewhere = async () => parse(await readFile(join(folder, 'elsewhere.yaml'), 'utf8'));

/** The page about all of them; what the sources export says a range in words. */
export async function issuesPage(all, { rangesInWords }) {
  const rows = all.map(
    ({ id, title, component, versions, certainty }) =>
      `| [${id}](rules/known-issue/${id}.md) | ${component} ${rangesInWords(versions)} | ${certainty} | ${title.replaceAll('|', '\\|')} |`,
  );
  return [
    '# Known issues',
    '',
    'Generated from `server/src/rules/knownIssues/entries`. Bugs, limits and silent changes of meaning of Kubernetes that a',
    'manifest runs into at some releases. Each is told at the field, with the code `known-issue/NAME`, where the version that',
    'is asked for ([patch releases](guide.md#patch-releases)) is affected. The version of kubelet and kube-proxy is that of the',
    'nodes, where Nodes with `status.nodeInfo.kubeletVersion` are known. Ranges reach over default feature gates.',
    '',
    'Of what is `exact` the manifest decides alone; it is an error, a warning or information by the harm it does. What is',
    '`partial` is a hint that says what it takes for granted.',
    '',
    '| issue | affected | certainty | what |',
    '|---|---|---|---|',
    ...rows,
    '',
    '## Told otherwise',
    '',
    'More that is known of releases. Another rule tells it, as it follows what the API server of a minor does, or no manifest',
    'shows it.',
    '',
    '| name | what | told by |',
    '|---|---|---|',
    ...(await elsewhere()).map(toldRow),
    '',
  ].join('\n');
}

function toldRow({ id, what, code, version, why }) {
  const by = code === undefined ? `nothing: ${why}` : `[${code}](rules/${code}.md), for example at ${version}`;
  return `| ${id} | ${what} | ${by} |`;
}
