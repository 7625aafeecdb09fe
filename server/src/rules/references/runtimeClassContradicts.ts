import { asText } from '../../base/json';
import { t } from '../../base/l10n';
import { admitRuntimeClass } from '../../cluster/admission/runtimeClass';
import type { PodSpec, RuntimeClass } from '../../kube/types';
import type { FieldPath } from '../../manifest/fieldPath';
import { decodedOfKind } from '../apiserver/validate/decoded';
import { layered } from '../framework/layers';
import { defineRule, type RuleContext } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';

interface Facts {
  readonly plain: string;
  readonly upstream: string;
  readonly removed: FieldPath;
}

export default defineRule<Facts>({
  meta: {
    code: 'references/runtime-class-contradicts',
    category: 'reference',
    severity: 'error',
    cost: 'workspace',
    summary: 'A Pod writes an overhead or a node selector that its RuntimeClass does not have.',
    why: 'The RuntimeClass admission plugin writes both into the Pod and refuses one that says something else, or that has an overhead without a class. A controller then makes no Pods at all.',
    remedy: 'Leave `overhead` out and name the RuntimeClass; choose nodes in the class or in the Pod, not in both.',
    source: { project: 'kubernetes', symbol: 'plugin/pkg/admission/runtimeclass', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/pod-overhead/',
  },
  on: 'podSpec',

  *check(target, context) {
    const place = podSpecOf({ ...target, value: decodedOfKind(target.value, target.kind, context.kube) });
    if (place === undefined || !('overhead' in place.spec || 'runtimeClassName' in place.spec)) return;
    const name = asText(place.spec.runtimeClassName);
    const classes = classesOf(name, context);
    // Where the class is not known, references/runtime-class-missing tells of it.
    if (name !== undefined && classes.size === 0) return;
    const answer = admitRuntimeClass(place.spec as PodSpec, classes);
    if (!('rejected' in answer)) return;
    const [, key] = /nodeSelector\[(.*?)\] = /.exec(answer.rejected) ?? [];
    const removed = key === undefined ? place.at.child('overhead') : place.at.child('nodeSelector').key(key);
    const what = name === undefined ? 'it names no RuntimeClass' : `RuntimeClass "${name}" has another one, or none`;
    yield {
      at: removed,
      part: 'key',
      facts: {
        plain:
          key === undefined
            ? t`this Pod has an overhead, and ${what}`
            : t`the nodeSelector of the Pod and that of RuntimeClass "${name}" differ in "${key}"`,
        upstream: answer.rejected,
        removed,
      },
    };
  },

  message: ({ facts: { plain, upstream } }) => layered(t`${plain}; admission refuses the Pod`, upstream),

  fixes: ({ facts: { removed } }, { object }, _context, edit) => [
    { title: t`Remove ${removed}`, safety: 'unsafe', edits: [edit.remove(object, removed)] },
  ],
});

/** The one class of that name, without values of another type. */
function classesOf(name: string | undefined, { snapshot, kube }: RuleContext): ReadonlyMap<string, RuntimeClass> {
  const found = name === undefined ? [] : snapshot.find('node.k8s.io', 'RuntimeClass', undefined, name);
  const [only] = found;
  if (name === undefined || only === undefined || found.length > 1) return new Map();
  const kind = kube.kindOf(only.apiVersion, only.kind);
  return new Map([[name, decodedOfKind(only.manifest.value, kind, kube) as unknown as RuntimeClass]]);
}
