import { systemPriorityClasses } from '../../kube/podTemplates';
import { absenceSeverity, isKnown, lookedIn } from '../absence';
import { nearestNames } from '../nearest';
import { podSpecOf } from '../podSpec';
import { defineRule } from '../rule';
import { asText, quoted } from '../values';

const GROUP = 'scheduling.k8s.io';

export default defineRule<{ readonly name: string }>({
  meta: {
    code: 'references/priority-class-missing',
    category: 'reference',
    severity: 'error',
    cost: 'workspace',
    summary: 'A Pod names a PriorityClass that is defined nowhere.',
    why: 'The Priority admission plugin refuses such a Pod: "no PriorityClass with name … was found". A controller then makes no Pods at all.',
    remedy: 'Correct the name, or define the PriorityClass.',
    details:
      'It is information where other sources may define the class, and an error where the sources are known to be complete. `system-node-critical` and `system-cluster-critical` are in every cluster.',
    source: { project: 'kubernetes', symbol: 'plugin/pkg/admission/priority', fidelity: 'inspired' },
    url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/',
  },
  on: 'podSpec',

  *check(target, context) {
    const place = podSpecOf(target);
    const name = asText(place?.spec.priorityClassName);
    if (place === undefined || name === undefined || Object.hasOwn(systemPriorityClasses, name)) return;
    if (isKnown(context, GROUP, 'PriorityClass', undefined, name)) return;
    yield {
      at: place.at.child('priorityClassName'),
      part: 'value',
      facts: { name },
      severity: absenceSeverity(context),
    };
  },

  message: ({ facts }, context) => `PriorityClass ${quoted(facts.name)} ${lookedIn(context)}`,

  fixes({ at, facts }, { object }, { snapshot }, edit) {
    const written = snapshot.objectsOf(GROUP, 'PriorityClass').flatMap(it => it.name ?? []);
    const names = nearestNames(facts.name, new Set([...written, ...Object.keys(systemPriorityClasses)]));
    const manifest = `apiVersion: ${GROUP}/v1\nkind: PriorityClass\nmetadata:\n  name: ${facts.name}\nvalue: 1000\nglobalDefault: false\ndescription: ""\n`;
    return [
      ...names.slice(0, 3).map(name => ({
        title: `Change to ${name}`,
        safety: 'unsafe' as const,
        edits: [edit.replaceValue(object, at, name)],
      })),
      {
        title: `Define PriorityClass ${facts.name} at the end of this file`,
        safety: 'unsafe' as const,
        edits: [edit.appendDocument(object, manifest)],
      },
    ];
  },
});
