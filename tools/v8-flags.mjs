/**
 * For Node's command line: V8 optimizes a function once it has run some fifteen times longer. Most code of tools and tests runs a
 * few times only, and a fifth to a quarter of their time went into optimizing it. Later versions of V8 than Node 20's have no
 * such flag and do better.
 */
export const optimizingLate = process.versions.v8.startsWith('11.') ? ['--interrupt-budget=1000000'] : [];
