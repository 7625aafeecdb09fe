import { objectOrEmpty, type UnknownObject } from '../../base/json';
import type { PathStep } from '../../scheduler/whatIf/edits';

export const TEMPLATE_SPEC: readonly PathStep[] = ['spec', 'template', 'spec'];

/** The Pod spec of a workload's template. */
export const templateSpecOf = (workload: UnknownObject): UnknownObject =>
  objectOrEmpty(objectOrEmpty(objectOrEmpty(workload.spec).template).spec);
