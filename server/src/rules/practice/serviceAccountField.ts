import { t } from '../../base/l10n';
import { text } from '../../kube/goFields';
import { defineRule } from '../framework/rule';
import { podPractice } from './practice';

export default defineRule(
  podPractice({
    code: 'practice/service-account-field',
    summary: 'The deprecated field serviceAccount is used.',
    why: 'It is an old name of `serviceAccountName`, kept for old clients; where both are there, this one is passed over.',
    remedy: 'Write `serviceAccountName`.',
    after: ['kube-linter deprecated-service-account-field'],
    check: (spec, at) => {
      const old = text(spec, 'serviceAccount');
      if (old === '') return undefined;
      return {
        at: at.child('serviceAccount'),
        part: 'key',
        message: t('serviceAccount is an old name of serviceAccountName'),
      };
    },
  }),
);
