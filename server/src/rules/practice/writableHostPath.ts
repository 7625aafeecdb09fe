import { t } from '../../base/l10n';
import { flag, record, records, text } from '../../kube/goFields';
import { addInstead } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { containerPractice } from './practice';

export default defineRule(
  containerPractice({
    code: 'practice/writable-host-path',
    summary: 'A container can write into a folder of its node.',
    why: 'It can change what the node or other Pods run, and fill its disk.',
    remedy: 'Write `readOnly: true` on the mount, or use another kind of volume.',
    after: ['kube-linter writable-host-mount', 'Kubescape C-0045'],
    url: 'https://kubernetes.io/docs/concepts/storage/volumes/#hostpath',
    lists: ['containers', 'initContainers'],
    check: ({ container, at, name, spec }) => {
      const ofHost = records(spec, 'volumes').filter(it => record(it, 'hostPath') !== undefined);
      return records(container, 'volumeMounts').flatMap((it, i) => {
        const isOfHost = ofHost.some(volume => text(volume, 'name') === text(it, 'name'));
        if (!isOfHost || flag(it, 'readOnly') === true) return [];
        const field = at.child('volumeMounts').index(i);
        return [
          {
            at: field,
            part: 'key' as const,
            message: t`container "${name}" can write to the node through "${text(it, 'name')}"`,
            fixes: [addInstead(field.child('readOnly'), true)],
          },
        ];
      });
    },
  }),
);
