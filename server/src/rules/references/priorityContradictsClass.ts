import { asText } from '../../base/json';
import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { systemPriorityClasses } from '../../kube/podTemplates';
import { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../../workspace/object';
import { defineRule, type RuleContext } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';

interface Facts {
  readonly field: 'priority' | 'preemptionPolicy';
  readonly written: string;
  readonly wanted: string;
  readonly className: string | undefined;
}

interface Class {
  readonly name: string | undefined;
  readonly priority: number;
  readonly preemptionPolicy: string;
  readonly object?: WorkspaceObject;
}

export default defineRule<Facts>({
  meta: {
    code: 'references/priority-contradicts-class',
    category: 'reference',
    severity: 'error',
    cost: 'workspace',
    summary: 'A Pod writes a priority or preemption policy that its PriorityClass does not have.',
    why: 'The Priority admission plugin works both out from the class and refuses a Pod that says something else.',
    remedy: 'Leave `priority` and `preemptionPolicy` out, and name the class that has the values you want.',
    details: 'Without `priorityClassName` the class with `globalDefault: true` counts, or 0 and PreemptLowerPriority.',
    source: { project: 'kubernetes', symbol: 'plugin/pkg/admission/priority', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/',
  },
  on: 'podSpec',

  *check(target, context) {
    const place = podSpecOf(target);
    if (place === undefined) return;
    const { priority, preemptionPolicy } = place.spec;
    if (priority === undefined && preemptionPolicy === undefined) return;
    const its = classOf(asText(place.spec.priorityClassName), context);
    if (its === undefined) return;
    const contradiction = (field: Facts['field'], written: string, wanted: string) => ({
      at: place.at.child(field),
      part: 'value' as const,
      facts: { field, written, wanted, className: its.name },
      // If no class is given, another source may define a global default.
      ...(its.name === undefined && !context.snapshot.complete && { severity: 'info' as const }),
      ...(its.object !== undefined && {
        related: [
          { object: its.object, at: FIELD_OF_CLASS[field], message: t`PriorityClass ${quoted(its.name ?? '')}` },
        ],
      }),
    });
    if (typeof priority === 'number' && priority !== its.priority) {
      yield contradiction('priority', String(priority), String(its.priority));
    }
    const policy = asText(preemptionPolicy);
    if (policy !== undefined && policy !== its.preemptionPolicy) {
      yield contradiction('preemptionPolicy', policy, its.preemptionPolicy);
    }
  },

  message: ({ facts: { field, written, wanted, className } }) => {
    const source = className === undefined ? t('a Pod without a PriorityClass') : t`PriorityClass ${quoted(className)}`;
    return t`${field} ${written} contradicts ${source}, which gives ${wanted}; admission refuses the Pod`;
  },

  fixes: ({ at, facts }, { object }, _context, edit) => [
    { title: t`Remove ${facts.field}`, safety: 'unsafe', edits: [edit.remove(object, at)] },
    {
      title: t`Set ${facts.field} to ${facts.wanted}`,
      safety: 'unsafe',
      edits: [edit.replaceValue(object, at, facts.wanted)],
    },
  ],
});

const FIELD_OF_CLASS = {
  priority: FieldPath.of('value'),
  preemptionPolicy: FieldPath.of('preemptionPolicy'),
};

function classOf(name: string | undefined, { snapshot }: RuleContext): Class | undefined {
  if (name !== undefined && Object.hasOwn(systemPriorityClasses, name)) {
    return { name, priority: systemPriorityClasses[name] ?? 0, preemptionPolicy: 'PreemptLowerPriority' };
  }
  if (name !== undefined) {
    const [found, ...others] = snapshot.find('scheduling.k8s.io', 'PriorityClass', undefined, name);
    return found !== undefined && others.length === 0 ? read(found) : undefined;
  }
  const defaults = snapshot
    .objectsOf('scheduling.k8s.io', 'PriorityClass')
    .filter(it => it.manifest.value.globalDefault === true);
  if (defaults.length > 1) return undefined;
  return defaults[0] === undefined
    ? { name: undefined, priority: 0, preemptionPolicy: 'PreemptLowerPriority' }
    : read(defaults[0]);
}

function read(object: WorkspaceObject): Class {
  const { value, preemptionPolicy } = object.manifest.value;
  return {
    name: object.name,
    priority: typeof value === 'number' ? value : 0,
    preemptionPolicy: asText(preemptionPolicy) ?? 'PreemptLowerPriority',
    object,
  };
}
