import type { KindStrategy } from '../errors';
import { definitionStrategy } from './definition';

/** Strategies of the group apiextensions.k8s.io. */
export const apiextensionsStrategies: Readonly<Record<string, KindStrategy>> = {
  'apiextensions.k8s.io/CustomResourceDefinition': definitionStrategy,
};
