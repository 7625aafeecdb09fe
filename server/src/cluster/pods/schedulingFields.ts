import type { Container, PodSpec } from '../../kube/types';

/** What placement never looks at in a container, its image aside. */
const IRRELEVANT: ReadonlySet<string> = new Set([
  ...['args', 'command', 'env', 'envFrom', 'imagePullPolicy', 'lifecycle', 'livenessProbe', 'readinessProbe'],
  ...['startupProbe', 'stdin', 'stdinOnce', 'terminationMessagePath', 'terminationMessagePolicy', 'tty', 'workingDir'],
]);

/** A spec without what placement never looks at in containers, and with some other image for each. */
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
