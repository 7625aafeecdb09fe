import { type Analysis, defaultSettings, type Settings } from '../../server/src/analysis/analysis';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { readPack } from '../support/packs';

/** The analysis of some files by uri; an exception inside a rule fails the test. */
export function analysisOf(files: Readonly<Record<string, string>>, settings: Partial<Settings> = {}): Analysis {
  const host = createAnalysisHost({
    readPack,
    onBug: (code, error) => {
      throw new Error(`${code}: ${String(error)}`);
    },
  });
  host.apply({
    settings: { ...defaultSettings, ...settings },
    files: Object.entries(files).map(([uri, text]) => ({ uri, text })),
  });
  return host.analysis();
}
