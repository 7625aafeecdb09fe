import type { Strategies } from '../errors';
import { definitionStrategy } from './definition';

/** Strategies of the group apiextensions.k8s.io. */
export function apiextensionsStrategies(): Strategies {
  return {
    'apiextensions.k8s.io/CustomResourceDefinition': definitionStrategy,
  };
}
