import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { isExtendedResource } from '../../cluster/resources/resources';
import { record } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';

interface Facts {
  readonly key: string;
  /** The key that counts the resource. */
  readonly counting: string;
}

/** Counted by servers of their own: `openshift.io/imagestreams`. */
const COUNTED_ELSEWHERE = /^([\w-]+\.)*(openshift|k8s)\.io\//;

export default defineRule<Facts>({
  meta: {
    code: 'placement/quota-counts-nothing',
    category: 'placement',
    severity: 'warning',
    cost: 'typing',
    summary: 'A quota limits an extended resource without the prefix `requests.`, so it counts nothing.',
    why: 'A quota counts an extended resource, such as a GPU, under `requests.` and its name alone. The API server accepts the name itself and with `limits.`, too, but nothing is counted there: Pods may ask for any amount.',
    remedy: 'Write `requests.` before the name of the resource.',
    source: { project: 'kubernetes', symbol: 'core.isExtendedResourceNameForQuota', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/policy/resource-quotas/#resource-quota-for-extended-resources',
  },
  on: ['ResourceQuota'],

  *check({ object, value }) {
    if (object.group !== '') return;
    const at = FieldPath.of('spec', 'hard');
    for (const key of Object.keys(record(record(value, 'spec'), 'hard') ?? {})) {
      if (key.startsWith('count/')) continue;
      const name = key.replace(/^limits\./, '');
      if (!isExtendedResource(name) || COUNTED_ELSEWHERE.test(name)) continue;
      yield { at: at.key(key), part: 'key', facts: { key, counting: `requests.${name}` } };
    }
  },

  message: ({ facts }) =>
    t`nothing is counted as ${quoted(facts.key)}: a quota counts this resource as ${quoted(facts.counting)}`,

  fixes: ({ at, facts: { counting } }, { object }, _context, edit) =>
    object.manifest.has(at.parent!.key(counting))
      ? []
      : [{ title: t`Change to ${counting}`, safety: 'unsafe', edits: [edit.renameKey(object, at, counting)] }],
});
