import { loadingContent } from '../../cluster/sources/content';
import { knownCluster } from '../../cluster/sources/known';

/** A source of which nothing is known yet. */
export const LOADING = knownCluster(loadingContent);
