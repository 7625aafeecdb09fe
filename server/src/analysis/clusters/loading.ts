import { clusterIndex } from '../../cluster/sources/clusterIndex';
import { loadingContent } from '../../cluster/sources/content';

/** A source of which nothing is known yet. */
export const LOADING = clusterIndex(loadingContent);
