import { clusterIndex } from '../../cluster/sources/clusterIndex';
import { loadingContent } from '../../cluster/sources/content';

/** A source whose content is not known yet. */
export const LOADING = clusterIndex(loadingContent);
