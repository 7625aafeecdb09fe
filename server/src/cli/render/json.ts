import { printableJson } from '../../text/printable';
import { count, type Report } from '../report';

/** The version of the contract that this output keeps. */
export const CONTRACT = 1;

/** The report as the contract says, one JSON document. */
export function renderJson(report: Report): string {
  const {
    kubernetesVersion,
    files,
    documents,
    milliseconds,
    problems,
    suppressed,
    notEvaluated,
    notRead,
    skipped,
    error,
  } = report;
  const summary = {
    files,
    documents,
    errors: count(problems, 'error'),
    warnings: count(problems, 'warning'),
    milliseconds,
    ...(suppressed.count > 0 && { suppressed: suppressed.count }),
    ...(notRead > 0 && { notRead }),
  };
  return `${printableJson({ contract: CONTRACT, kubernetesVersion, summary, problems, ...(suppressed.shown.length > 0 && { suppressed: suppressed.shown }), ...(notEvaluated.length > 0 && { notEvaluated }), ...(skipped.length > 0 && { skipped }), ...(error !== undefined && { error }) })}\n`;
}
