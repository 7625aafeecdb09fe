import { printed } from '../../base/printed';
import { type ReportedError, serverFinding } from '../apiserver/answer';
import { changesTo } from '../apiserver/fixes/fieldChanges';
import { fixesFor } from '../apiserver/fixes/fixes';
import { choicesOf, message } from '../apiserver/messages/sentences';
import { defineRule } from '../framework/rule';
import { configurationProblems } from './configurationProblems';

/** Values that are not suggested, because they need further fields. */
const NEEDS_MORE = ['Gt', 'Lt', 'RequestedToCapacityRatio'];

export default defineRule<ReportedError>({
  meta: {
    code: 'scheduler/invalid',
    category: 'placement',
    severity: 'error',
    cost: 'typing',
    summary: 'A field of a scheduler configuration holds what kube-scheduler refuses.',
    why: 'kube-scheduler validates its configuration file when it starts, and does not start with one such field.',
    remedy: 'Change the field as the message says.',
    details:
      'Some of these are found only when the plugins of a profile are made; then upstream prints the path from `args` on.',
    source: {
      project: 'kubernetes',
      symbol: 'pkg/scheduler/apis/config/validation.ValidateKubeSchedulerConfiguration',
      fidelity: 'same',
    },
    url: 'https://kubernetes.io/docs/reference/config-api/kube-scheduler-config.v1/',
  },
  on: ['KubeSchedulerConfiguration'],

  *check(target, { kube }) {
    for (const error of configurationProblems(target.value, kube).errors) yield serverFinding(error, target);
  },

  message: ({ facts }) => message(facts),

  fixes({ at, facts: { error } }, target, context, edit) {
    const fixable = { error, at, target, context, edit };
    if (error.type !== 'FieldValueNotSupported') return fixesFor(fixable);
    const isSlip = (word: string): boolean => word.toLowerCase() === printed(error.value).toLowerCase();
    const choices = choicesOf(error.detail).filter(it => !NEEDS_MORE.includes(it) || isSlip(it));
    return changesTo(choices, fixable);
  },
});
