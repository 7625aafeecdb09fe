import { count, type Report } from '../report';

/** The version of the contract that this output keeps. */
export const CONTRACT = 1;

/** The report as the contract says, one JSON document. */
export function renderJson(report: Report): string {
  const { kubernetesVersion, files, documents, milliseconds, problems, error } = report;
  const summary = {
    files,
    documents,
    errors: count(problems, 'error'),
    warnings: count(problems, 'warning'),
    milliseconds,
  };
  return `${JSON.stringify({ contract: CONTRACT, kubernetesVersion, summary, problems, ...(error !== undefined && { error }) })}\n`;
}
