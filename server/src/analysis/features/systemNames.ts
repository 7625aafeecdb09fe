import { t } from '../../base/l10n';
import type { DeclaredProcess, SystemDocument } from '../../explore/system/document';
import { readSystem } from '../../explore/system/read';
import { type NameUse, usesIn } from '../../explore/system/uses';
import type { ManifestFile } from '../../manifest/manifest';
import { lineEnd } from '../../text/lineEnd';
import { lineStart } from '../../text/lineStart';
import { codeBlock, codeSpan } from '../../text/markdown';
import type { Hover } from './annotations';
import type { CompletionItem } from './completion/item';

/** What the name at an offset of a system is, and the line that declares it. */
export function systemHover(file: ManifestFile, offset: number): Hover | undefined {
  const use = usesIn(readSystem(file).document).find(({ span }) => offset >= span.start && offset <= span.end);
  if (use === undefined) return undefined;
  const { start } = use.declared;
  const line = file.text.slice(lineStart(file.text, start), lineEnd(file.text, start)).trim();
  return { span: use.span, markdown: `${KINDS[use.kind]} ${codeSpan(use.name)}\n\n${codeBlock('yaml', line)}` };
}

const KINDS: Readonly<Record<NameUse['kind'], string>> = {
  constant: 'Constant',
  variable: 'Variable',
  process: 'Process',
  location: 'Location',
  step: 'Step',
};

/** So many characters before an offset say which names may stand there; a longer line could be divided in many ways. */
const NEAR = 1_000;

/** The names that may stand at an offset of a system, in the field at a path. */
export function systemNamesAt(file: ManifestFile, offset: number, path: string): readonly CompletionItem[] {
  const { document } = readSystem(file);
  const before = file.text.slice(Math.max(lineStart(file.text, offset), offset - NEAR), offset);
  const word = (STEP.test(path) ? AFTER_START : /([A-Za-z_][A-Za-z0-9_]*)$/).exec(before)?.[1] ?? '';
  const span = { start: offset - word.length, end: offset };
  // What is being typed is no name yet.
  const names = namesFor(document, before.slice(0, before.length - word.length), path).filter(it => it.name !== word);
  return [...new Map(names.map(it => [it.name, it])).values()].map(({ name, detail }) => ({
    label: name,
    kind: 'value',
    detail,
    span,
    insert: name,
    filter: name,
    rank: 0,
  }));
}

/** The beginning of an item of a list: names of steps may have blanks. */
const AFTER_START = /(?:^\s*-\s+|[[,"']\s*)([^,[\]"']*)$/;

interface OfferedName {
  readonly name: string;
  readonly detail: string;
}

const CONDITION = /^spec\.properties\[\d+\]\.(?:never|atEnd|canAlwaysReach)$/;
const IN_STEP = /^spec\.processes\[\d+\]\.steps\[\d+\]\.(?:when$|set(?:$|[.[]))/;
const IN_VALUE = /^spec\.(?:processes\[\d+\]\.)?(?:constants|variables)\.|^spec\.processes\[\d+\]\.copies$/;
const LOCATION = /^spec\.processes\[\d+\]\.(?:start|halt(?:\[\d+\])?|steps\[\d+\]\.(?:from|to))$/;
const STEP = /^spec\.properties\[\d+\]\.progress(?:\[\d+\])?$/;

function namesFor(document: SystemDocument, before: string, path: string): readonly OfferedName[] {
  const own = document.processes.find(it => path.startsWith(`${it.field.path}.`));
  if (LOCATION.test(path)) return locationsOf(own);
  if (STEP.test(path)) {
    return document.processes.flatMap(({ name, steps }) =>
      steps.map(it => ({ name: it.name, detail: t`step of ${name}` })),
    );
  }
  const hasStates = CONDITION.test(path) || IN_STEP.test(path);
  if (!hasStates && !IN_VALUE.test(path)) return [];
  const named = /\bat\(\s*(?:([A-Za-z_]\w*)\s*(?:\[.*\])?\s*,\s*)?$/.exec(before);
  if (named !== null && hasStates) {
    if (named[1] !== undefined) return locationsOf(document.processes.find(it => it.name === named[1]));
    return document.processes.map(({ name }) => ({ name, detail: 'process' }));
  }
  return [
    ...document.constants.map(({ name }) => ({ name, detail: t('constant') })),
    ...(own === undefined ? [] : [{ name: 'i', detail: t`index of the copy of ${own.name}` }]),
    ...(hasStates ? statefulNames(document, IN_STEP.test(path) ? own : undefined) : []),
  ];
}

function statefulNames({ variables }: SystemDocument, own: DeclaredProcess | undefined): readonly OfferedName[] {
  const ofOwn = own?.variables.map(({ name }) => ({ name, detail: t`variable of ${own.name}` })) ?? [];
  return [
    ...variables.map(({ name }) => ({ name, detail: t('variable') })),
    ...ofOwn,
    { name: 'at', detail: 'at(process, location)' },
  ];
}

function locationsOf(owner: DeclaredProcess | undefined): readonly OfferedName[] {
  return owner?.locations.map(name => ({ name, detail: t`location of ${owner.name}` })) ?? [];
}
