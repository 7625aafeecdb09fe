import type { Namespace, PodSpec, StringMap } from '../../kube/types';
import type { Admitted } from './types';

const ANNOTATION = 'scheduler.alpha.kubernetes.io/node-selector';

/**
 * The PodNodeSelector admission plugin, off by default: adds the namespace's node selector to the Pod's. The plugin's
 * own configuration counts as empty.
 */
export function admitNodeSelector(spec: PodSpec, namespace: Namespace | undefined): Admitted {
  const text = namespace?.metadata?.annotations?.[ANNOTATION];
  if (text === undefined) return { spec };
  const wanted = labelsIn(text);
  if ('error' in wanted) return { rejected: wanted.error, isVerbatim: true };
  const own = spec.nodeSelector ?? {};
  if (Object.entries(wanted.labels).some(([key, value]) => own[key] !== undefined && own[key] !== value)) {
    return { rejected: 'pod node label selector conflicts with its namespace node label selector' };
  }
  return { spec: { ...spec, nodeSelector: { ...wanted.labels, ...own } } };
}

/** Upstream: labels.ConvertSelectorToLabelsMap. */
function labelsIn(selector: string): { readonly labels: StringMap } | { readonly error: string } {
  const res: Record<string, string> = {};
  for (const part of selector === '' ? [] : selector.split(',')) {
    const [key = '', value, ...rest] = part.split('=').map(it => it.trim());
    if (value === undefined || rest.length > 0) return { error: `invalid selector: [${part.split('=').join(' ')}]` };
    res[key] = value;
  }
  return { labels: res };
}
