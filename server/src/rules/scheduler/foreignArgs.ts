import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { layered } from '../framework/layers';
import { defineRule } from '../framework/rule';
import { type ForeignArgs, foreignArgs } from './configurationProblems';

export default defineRule<ForeignArgs>({
  meta: {
    code: 'scheduler/foreign-args',
    category: 'decode',
    severity: 'error',
    cost: 'typing',
    summary: 'The args of a scheduler plugin say that they are of another type.',
    why: 'kube-scheduler reads the args by the plugin’s name, and refuses those of another plugin or version.',
    remedy: 'Leave `apiVersion` and `kind` out of `args`, or write those of the plugin.',
    source: { project: 'kubernetes', symbol: 'config/v1.PluginConfig.decodeNestedObjects', fidelity: 'same' },
  },
  on: ['KubeSchedulerConfiguration'],

  *check({ value }, { kube }) {
    for (const facts of foreignArgs(value, kube)) yield { at: facts.at, part: 'value', errorType: 'NoKind', facts };
  },

  message: ({ facts: { plugin, text } }) => layered(t`these are not args of the plugin ${quoted(plugin)}`, text),

  fixes: ({ at }, { object }, _context, edit) => [
    { title: t`Remove ${String(at.segments.at(-1))}`, safety: 'safe', edits: [edit.remove(object, at)] },
  ],
});
