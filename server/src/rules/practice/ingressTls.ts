import { t } from '../../base/l10n';
import { record, records } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { practice } from './practice';

export default defineRule(
  practice({
    code: 'practice/ingress-tls',
    severity: 'info',
    summary: 'An Ingress speaks plain HTTP.',
    why: 'Whoever is on the way can read and change what is sent.',
    remedy: 'Name hosts and a certificate in `tls`.',
    after: ['Polaris tlsSettingsMissing', 'Kubescape C-0263'],
    url: 'https://kubernetes.io/docs/concepts/services-networking/ingress/#tls',
    on: ['Ingress'],
    check: ({ value }) => {
      const spec = record(value, 'spec');
      if (spec === undefined || records(spec, 'tls').length > 0) return undefined;
      return { at: FieldPath.of('spec', 'tls'), part: 'key', message: t('this Ingress has no TLS') };
    },
  }),
);
