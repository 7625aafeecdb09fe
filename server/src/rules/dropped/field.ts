import { answerFor } from '../apiserver/answer';
import { defineRule } from '../rule';

export default defineRule<{ readonly path: string; readonly isOfServer: boolean }>({
  meta: {
    code: 'dropped/field',
    category: 'dropped',
    severity: 'warning',
    cost: 'typing',
    isGeneral: true,
    summary: 'The API server takes the object but drops a field without a word.',
    why: 'What is written is not what is stored: the field belongs to a feature gate that is off, or only the server writes it.',
    remedy: 'Remove the field, or choose a Kubernetes version and feature gates that keep it.',
    details:
      'Hovering over the field tells which feature gate it hangs on. Fields that only the server writes (status, some of metadata) are told as information.',
    source: { project: 'kubernetes', symbol: 'rest.RESTCreateStrategy.PrepareForCreate', fidelity: 'same' },
  },
  on: 'any',

  *check(target, context) {
    for (const at of answerFor(target, context)?.dropped ?? []) {
      const path = at.toString();
      const isOfServer = path === 'status' || path.startsWith('metadata.');
      yield {
        at,
        part: 'key',
        facts: { path, isOfServer },
        unnecessary: true,
        ...(isOfServer && { severity: 'info' as const }),
      };
    }
  },

  message: ({ facts: { path, isOfServer } }, { kube }) =>
    isOfServer
      ? `only the server writes ${path}; what is written here is dropped without a word`
      : `the API server of Kubernetes ${kube.minor} drops ${path} without a word at the chosen feature gates`,

  fixes: ({ at, facts }, { object }, _context, edit) => [
    { title: `Remove ${facts.path}`, safety: 'safe', edits: [edit.remove(object, at)] },
  ],
});
