import { printableJson } from '../../text/printable';
import { count, type Report } from '../report';

/** The version of the contract that this output keeps. */
export const CONTRACT = 1;

/** The report as the contract says, one JSON document. */
export function renderJson(report: Report): string {
  const { kubernetesVersion, files, documents, milliseconds, problems, suppressed, error } = report;
  const summary = {
    files,
    documents,
    errors: count(problems, 'error'),
    warnings: count(problems, 'warning'),
    milliseconds,
    ...(suppressed.count > 0 && { suppressed: suppressed.count }),
  };
  return `${printableJson({ contract: CONTRACT, kubernetesVersion, summary, problems, ...(suppressed.shown.length > 0 && { suppressed: suppressed.shown }), ...(error !== undefined && { error }) })}\n`;
}
