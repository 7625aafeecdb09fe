import fc from 'fast-check';

// Properties are tried with the same values in every run.
fc.configureGlobal({ seed: 1_373 });
