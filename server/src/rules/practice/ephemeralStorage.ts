import { t } from '../../base/l10n';
import { get, record } from '../../kube/goFields';
import { defineRule } from '../framework/rule';
import { containerPractice } from './practice';

export default defineRule(
  containerPractice({
    code: 'practice/ephemeral-storage',
    severity: 'info',
    summary: 'Nothing limits the local disk that a container uses.',
    why: 'Logs, the writable layer and emptyDir volumes fill the disk of the node, and the kubelet evicts Pods of others too.',
    remedy: 'Set a request and a limit for `ephemeral-storage`.',
    after: ['kube-score container-ephemeral-storage-request-and-limit'],
    url: 'https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/',
    lists: ['containers', 'initContainers'],
    check: ({ container, at, name, spec }) => {
      const isGiven = [container, spec].some(
        it =>
          get(record(record(it, 'resources'), 'limits'), 'ephemeral-storage') !== undefined ||
          get(record(record(it, 'resources'), 'requests'), 'ephemeral-storage') !== undefined,
      );
      if (isGiven) return undefined;
      return { at, part: 'key', message: t`container "${name}" has no ephemeral-storage limit` };
    },
  }),
);
