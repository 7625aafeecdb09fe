import type { ExportFormat, FromPreview, ReschedulerKind } from '../../../server/src/analysis/previewModel';
import { isObject, type UnknownObject } from '../../../server/src/base/json';

const isText = (it: unknown): it is string => typeof it === 'string';
const among =
  <T>(all: readonly T[]) =>
  (it: unknown): it is T =>
    (all as readonly unknown[]).includes(it);

const isFormat = among<ExportFormat>(['svg', 'png', 'json', 'md']);
const isMoverKind = among<ReschedulerKind>(['descheduler', 'vpa']);

/** Nothing but texts, changes and a mover; what they name need not be there, as the server finds out. */
function isWhatIf(it: unknown): boolean {
  if (!isObject(it) || !Array.isArray(it.changes)) return false;
  const { changes, mover, ...others } = it;
  const isMover = mover === undefined || (isObject(mover) && isMoverKind(mover.kind));
  return (
    isMover && changes.every(change => isObject(change) && isText(change.do)) && Object.values(others).every(isText)
  );
}

const always = (): boolean => true;

const CHECKS: Readonly<Record<FromPreview['type'], (message: UnknownObject) => boolean>> = {
  ready: always,
  askContext: always,
  compare: always,
  stopComparing: always,
  explain: always,
  choose: it => isText(it.pod),
  reveal: it => isText(it.pod),
  try: it => isWhatIf(it.whatIf),
  apply: it => isText(it.pod) && Number.isInteger(it.suggestion),
  askMovers: it => isMoverKind(it.kind),
  save: it => isFormat(it.format) && isText(it.content),
};

/** Whether a message of the preview's page is one that it may send: the page draws what others wrote. */
export function isFromPreview(message: unknown): message is FromPreview {
  if (!isObject(message) || !isText(message.type) || !Object.hasOwn(CHECKS, message.type)) return false;
  return CHECKS[message.type as FromPreview['type']](message);
}
