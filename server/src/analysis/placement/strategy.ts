/** How kube-scheduler scores nodes: as configured, or in one of three ways that are derived from the configuration. */
export type Strategy = 'configured' | 'default' | 'pack' | 'spread';

/** What can be set side by side: the ways to score, and the best placement that the solver finds. */
export type ComparedStrategy = Strategy | 'optimal';
