import * as l10n from '@vscode/l10n';
import fc from 'fast-check';

// Each file starts in the same state, whichever ran before it in the process: properties use the same values in every
// run, and messages are in English.
fc.configureGlobal({ seed: 1_373 });
l10n.config({ contents: {} });
