import { t } from '../../base/l10n';
import { optionalText, records, text } from '../../kube/goFields';
import { defineRule } from '../framework/rule';
import { containerPractice } from './practice';

const SECRET_WORDS = /(?:^|_)(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY|CREDENTIALS?)(?:$|_)/i;
/** Names of a location or a setting, not of the secret itself. */
const ABOUT_A_SECRET = /(?:FILE|PATH|DIR|NAME|URL|URI|HOST|TTL|EXPIR\w*|ENABLED|TYPE|LENGTH|ID)$/i;

export default defineRule(
  containerPractice({
    code: 'practice/secret-written-out',
    summary: 'A password or a token stands in the manifest as plain text.',
    why: 'Whoever can read the repository or the Pod has it, and it stays in the history for ever.',
    remedy:
      'Put it into a Secret, and mount that or name it with `secretKeyRef`. What was committed once must be renewed.',
    after: ['kube-linter env-var-secret', 'Polaris sensitiveContainerEnvVar', 'Kubescape C-0012'],
    url: 'https://kubernetes.io/docs/concepts/configuration/secret/',
    lists: ['containers', 'initContainers'],
    check: ({ container, at }) =>
      records(container, 'env').flatMap((it, i) => {
        const [name, value] = [text(it, 'name'), optionalText(it, 'value') ?? ''];
        if (value === '' || /[${}<>]/.test(value)) return [];
        if (!SECRET_WORDS.test(name) || ABOUT_A_SECRET.test(name)) return [];
        return [{ at: at.child('env').index(i).child('value'), message: t`"${name}" is written out for all to read` }];
      }),
  }),
);
