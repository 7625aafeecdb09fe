import type { Container, PodSpec } from '../../kube/types';

/** Container fields that placement ignores; the image is handled separately. */
const IRRELEVANT: ReadonlySet<string> = new Set([
  ...['args', 'command', 'env', 'envFrom', 'imagePullPolicy', 'lifecycle', 'livenessProbe', 'readinessProbe'],
  ...['startupProbe', 'stdin', 'stdinOnce', 'terminationMessagePath', 'terminationMessagePolicy', 'tty', 'workingDir'],
]);

/** A spec without container fields that placement ignores, and with the images mapped by `imageOf`. */
export function schedulingFields(spec: PodSpec, imageOf: (image: string) => string): PodSpec {
  const relevant = (it: Container): Container => ({
    ...Object.fromEntries(Object.entries(it).filter(([key]) => !IRRELEVANT.has(key))),
    ...(typeof it.image === 'string' && { image: imageOf(it.image) }),
  });
  const { containers, initContainers } = spec;
  return {
    ...spec,
    ...(Array.isArray(containers) && { containers: containers.map(relevant) }),
    ...(Array.isArray(initContainers) && { initContainers: initContainers.map(relevant) }),
  };
}
