import { parseAllDocuments } from 'yaml';
import type { UnknownObject } from '../../server/src/base/json';
import type { Attempt, NodeVerdict, PlacementResult } from '../../server/src/scheduler/result';
import { kubeFacts } from '../support/packs';

/** The default gates of 1.37. */
export const { isGateOn } = kubeFacts('1.37');

/** The documents of a YAML text as plain objects. */
export function objectsIn(text: string): readonly UnknownObject[] {
  return [...parseAllDocuments(text)].map(it => it.toJS() as UnknownObject);
}

/** All decisions of a run as readable text. */
export function verdictTable(result: PlacementResult): string {
  const lines = result.attempts.flatMap(attemptLines);
  for (const { group, status, victims, message } of result.groups ?? []) {
    const victimText = victims ? `, victims: ${victims.join(' ')}` : '';
    lines.push(`group ${group}: ${status}${victimText}${message ? `\n  ${message}` : ''}`);
  }
  if (result.evicted.length > 0) lines.push(`evicted: ${result.evicted.join(' ')}`);
  for (const note of result.notes) lines.push(`note: ${note.pod ? `${note.pod}: ` : ''}${note.message}`);
  return `${lines.join('\n')}\n`;
}

function attemptLines(attempt: Attempt): readonly string[] {
  const ties = (attempt.tiedNodes ?? []).length > 1 ? `, tied: ${attempt.tiedNodes?.join(' ')}` : '';
  const again = attempt.attempt > 1 ? ` (attempt ${attempt.attempt})` : '';
  const rejection = attempt.preFilterRejection;
  const { nominatedNode, victims } = attempt.preemption ?? {};
  return [
    `${attempt.pod}${again}: ${attempt.status}${attempt.node ? ` on ${attempt.node}` : ''}${ties}`,
    ...(rejection
      ? [`  ${rejection.point} ${rejection.plugin} ${rejection.code}: ${rejection.reasons.join(', ')}`]
      : []),
    ...(attempt.nodes ?? []).map(verdictLine),
    ...(attempt.claims ?? []).map(it => `  claim ${it.claim}: ${it.devices.join(' ')}`),
    ...(nominatedNode ? [`  nominated to ${nominatedNode}, victims: ${victims?.join(' ')}`] : []),
    ...(attempt.message ? [`  ${attempt.message}`] : []),
  ];
}

function verdictLine(verdict: NodeVerdict): string {
  if (verdict.verdict === 'excluded') return `  ${verdict.node} excluded`;
  if (verdict.verdict === 'rejected') {
    return `  ${verdict.node} ${verdict.plugin} ${verdict.code}: ${verdict.reasons.join(', ')}`;
  }
  if (!verdict.scores) return `  ${verdict.node} feasible`;
  const scores = Object.entries(verdict.scores)
    .filter(([, it]) => it.raw !== 0 || it.weighted !== 0)
    .map(([name, it]) => `${name} ${it.raw}/${it.normalized}/${it.weighted}`);
  return `  ${verdict.node} ${verdict.total} = ${scores.join(', ')}`;
}
