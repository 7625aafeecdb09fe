import type { JsonObject } from '../../../../base/json';
import { record, texts } from '../../../../kube/goFields';
import { qualifiedNameErrors } from '../../../../kube/names';
import type { Warning } from '../errors';

const STANDARD = ['orphan', 'foregroundDeletion', 'kubernetes'];

/** Upstream: validateKubeFinalizerName of custom resources. */
export function finalizerWarnings(object: JsonObject): readonly Warning[] {
  const finalizers = [...new Set(texts(record(object, 'metadata'), 'finalizers'))].sort();
  return finalizers.flatMap(it => {
    const at = `metadata.finalizers: ${JSON.stringify(it)}: `;
    const problems = qualifiedNameErrors(it).map(problem => `${at}${problem}`);
    if (it.includes('/') || STANDARD.includes(it)) return problems;
    const path = it.includes('.') ? ' including a path (/)' : '';
    const advice = `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
    return [...problems, `${at}${advice}`];
  });
}
