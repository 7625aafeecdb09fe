import * as l10n from '@vscode/l10n';
import fc from 'fast-check';

// Each file begins alike, whichever ran before it in the same process: properties are tried with the same values in every
// run, and messages are in English.
fc.configureGlobal({ seed: 1_373 });
l10n.config({ contents: {} });
