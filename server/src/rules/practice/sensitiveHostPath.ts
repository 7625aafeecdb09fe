import { t } from '../../base/l10n';
import { record, records, text } from '../../kube/goFields';
import { defineRule } from '../framework/rule';
import { podPractice } from './practice';

/** Folders of a node with its programs, its configuration and its secrets. */
const SENSITIVE = [
  '/',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/proc',
  '/sys',
  '/usr',
  '/root',
  '/var/lib/kubelet',
  '/var/run',
];

export default defineRule(
  podPractice({
    code: 'practice/sensitive-host-path',
    summary: 'A Pod mounts a folder of the node that its security depends on.',
    why: 'Keys of the kubelet, passwords and devices can be read there, and often be changed.',
    remedy: 'Mount the one file that is needed, read-only; or leave this to a DaemonSet of the platform.',
    after: ['kube-linter sensitive-host-mounts', 'Kubescape C-0048'],
    url: 'https://kubernetes.io/docs/concepts/storage/volumes/#hostpath',
    check: (spec, at) =>
      records(spec, 'volumes').flatMap((it, i) => {
        const path = text(record(it, 'hostPath'), 'path');
        const folder = path.length > 1 ? path.replace(/(?<!\/)\/+$/, '') : path;
        if (!SENSITIVE.includes(folder)) return [];
        return [
          { at: at.child('volumes').index(i).child('hostPath', 'path'), message: t`"${path}" of the node is mounted` },
        ];
      }),
  }),
);
