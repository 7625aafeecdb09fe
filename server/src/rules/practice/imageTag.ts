import { t } from '../../base/l10n';
import { text } from '../../kube/goFields';
import { defineRule } from '../framework/rule';
import { containerPractice } from './practice';

export default defineRule(
  containerPractice({
    code: 'practice/image-tag',
    summary: 'An image has no tag, or the tag latest.',
    why: 'What runs depends on when a node pulled the image: two replicas may differ, and there is no way back.',
    remedy: 'Name a version, or better a digest.',
    after: ['kube-linter latest-tag', 'Polaris tagNotSpecified', 'kube-score container-image-tag', 'Kubescape C-0075'],
    url: 'https://kubernetes.io/docs/concepts/containers/images/',
    lists: ['containers', 'initContainers'],
    check: ({ container, at }) => {
      const image = text(container, 'image');
      const name = image.slice(image.lastIndexOf('/') + 1);
      // A placeholder is replaced later.
      if (image === '' || image.includes('@') || /[${}<>]/.test(image)) return undefined;
      const tag = name.includes(':') ? name.slice(name.indexOf(':') + 1) : undefined;
      if (tag !== undefined && tag !== 'latest') return undefined;
      const message =
        tag === undefined ? t`image "${image}" has no tag, which means latest` : t`image "${image}" has the tag latest`;
      return { at: at.child('image'), message };
    },
  }),
);
