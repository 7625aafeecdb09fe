/** How kube-scheduler is told to score: as configured, or by one of three ways that are made of the configuration. */
export type Strategy = 'configured' | 'default' | 'pack' | 'spread';

/** What can be set side by side: the ways to score, and the best placement that the solver finds. */
export type ComparedStrategy = Strategy | 'optimal';
