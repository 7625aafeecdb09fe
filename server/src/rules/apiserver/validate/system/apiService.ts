import type { JsonObject } from '../../../../base/json';
import { flag, type GoFields, int, mapField, record, text, withDefault } from '../../../../kube/goFields';
import { dns1035LabelErrors, dns1123SubdomainErrors, portNumberErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, invalid, invalids, type KindStrategy, required } from '../errors';
import { pathSegmentErrors, validateGenericObjectMeta } from '../metadata';
import { dropStatus } from '../shared/drops';

const SPEC = FieldPath.of('spec');

/** Upstream: k8s.io/kube-aggregator/pkg/apis/apiregistration/validation.ValidateAPIService. */
export const apiService: KindStrategy = {
  defaults: object =>
    mapField(object, 'spec', spec => mapField(spec, 'service', service => withDefault(service, 'port', 443))),
  drop: dropStatus,
  validate: object => {
    const spec = record(object, 'spec');
    const [group, version] = [text(spec, 'group'), text(spec, 'version')];
    const wanted = `${version}.${group}`;
    const nameErrors = (name: string): readonly string[] => {
      const errors = pathSegmentErrors(name);
      if (errors.length > 0 || name === wanted) return errors;
      return [`must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`];
    };
    return [...validateGenericObjectMeta(object, 'cluster', nameErrors), ...specErrors(spec, group, version)];
  },
};

function* specErrors(spec: GoFields, group: string, version: string): Iterable<FieldError> {
  if (group === '' && version !== 'v1') {
    yield required(SPEC.child('group'), 'only v1 may have an empty group and it better be legacy kube');
  }
  if (group !== '') yield* invalids(SPEC.child('group'), group, dns1123SubdomainErrors(group));
  yield* invalids(SPEC.child('version'), version, dns1035LabelErrors(version));
  for (const [field, most] of [
    ['groupPriorityMinimum', 20_000],
    ['versionPriority', 1_000],
  ] as const) {
    const priority = int(spec, field);
    if (priority <= 0 || priority > most) {
      yield invalid(SPEC.child(field), priority, `must be positive and less than ${most}`);
    }
  }
  const service = record(spec, 'service');
  const skipsVerification = flag(spec, 'insecureSkipTLSVerify') === true;
  const verificationAt = SPEC.child('insecureSkipTLSVerify');
  const bundle = text(spec, 'caBundle');
  if (service === undefined) {
    if (bundle !== '')
      yield invalid(SPEC.child('caBundle'), bytesText(bundle), 'local APIServices may not have a caBundle');
    if (skipsVerification) yield invalid(verificationAt, true, 'local APIServices may not have insecureSkipTLSVerify');
    return;
  }
  yield* serviceErrors(service, SPEC.child('service'));
  if (skipsVerification && bundle !== '') yield invalid(verificationAt, true, 'may not be true if caBundle is present');
}

const bytesText = (base64: string): string => `${Buffer.from(base64, 'base64').length} bytes`;

function* serviceErrors(service: JsonObject, at: FieldPath): Iterable<FieldError> {
  for (const field of ['namespace', 'name']) if (text(service, field) === '') yield required(at.child(field));
  const port = int(service, 'port');
  const messages = portNumberErrors(port);
  if (messages.length > 0) yield invalid(at.child('port'), port, `port is not valid: ${messages.join(', ')}`);
}
