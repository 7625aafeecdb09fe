import type { Analysis } from '../../server/src/analysis/analysis';
import { defaultSettings, type Settings } from '../../server/src/analysis/configuration/settings';
import { createAnalysisHost } from '../../server/src/analysis/host';
import type { WorkspaceChange } from '../../server/src/analysis/state/change';
import { readPack } from '../support/packs';
import { throwBug } from '../support/throwBug';

/** The analysis of some files by uri; an exception inside a rule fails the test. */
export function analysisOf(
  files: Readonly<Record<string, string>>,
  settings: Partial<Settings> = {},
  folders?: WorkspaceChange['folders'],
): Analysis {
  const host = createAnalysisHost({
    readPack,
    onBug: throwBug,
  });
  host.apply({
    settings: { ...defaultSettings, ...settings },
    ...(folders && { folders }),
    files: Object.entries(files).map(([uri, text]) => ({ uri, text })),
  });
  return host.analysis();
}
