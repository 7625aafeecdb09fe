import { t } from '../../base/l10n';
import { record, records, text } from '../../kube/goFields';
import { defineRule } from '../framework/rule';
import { podPractice } from './practice';

const SOCKETS = /\/(?:docker|containerd|crio|cri-dockerd|podman)(?:\/[\w-]+)*\.sock$/;

/** Linux mounts no longer one. */
const LONGEST_PATH = 4_096;

export default defineRule(
  podPractice({
    code: 'practice/runtime-socket',
    summary: 'A Pod can speak to the container runtime of its node.',
    why: 'Through the socket it can start any container with any right: it is root on the node.',
    remedy:
      'Build images without the runtime of the node (BuildKit rootless, Kaniko, Buildah), and ask the kubelet for metrics.',
    after: ['kube-linter docker-sock', 'Kubescape C-0074'],
    check: (spec, at) =>
      records(spec, 'volumes').flatMap((it, i) => {
        const path = text(record(it, 'hostPath'), 'path');
        if (path.length > LONGEST_PATH || !SOCKETS.test(path)) return [];
        return [
          { at: at.child('volumes').index(i).child('hostPath', 'path'), message: t`"${path}" hands over the node` },
        ];
      }),
  }),
);
