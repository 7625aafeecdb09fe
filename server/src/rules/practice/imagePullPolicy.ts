import { t } from '../../base/l10n';
import { text } from '../../kube/goFields';
import { change } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { containerPractice } from './practice';

export default defineRule(
  containerPractice({
    code: 'practice/image-pull-policy',
    severity: 'info',
    summary: 'A node may run an image that it has, though the tag means another one by now.',
    why: 'With IfNotPresent or Never whoever can name a private image that is on the node can run it, and a tag that moved is not noticed.',
    remedy: 'Write `imagePullPolicy: Always`, or name the image by its digest.',
    after: ['Polaris pullPolicyNotAlways', 'kube-score container-image-pull-policy'],
    url: 'https://kubernetes.io/docs/concepts/containers/images/#image-pull-policy',
    lists: ['containers', 'initContainers'],
    check: ({ container, at, name }) => {
      const policy = text(container, 'imagePullPolicy');
      if (policy === '' || policy === 'Always' || text(container, 'image').includes('@')) return undefined;
      const field = at.child('imagePullPolicy');
      return {
        at: field,
        message: t`container "${name}" takes an image that the node has without asking the registry`,
        fixes: [change(field, 'Always')],
      };
    },
  }),
);
