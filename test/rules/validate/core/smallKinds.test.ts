import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../server/src/base/json';
import { answer } from '../answers';

const object = (apiVersion: string, kind: string, fields: JsonObject): JsonObject => ({
  apiVersion,
  kind,
  metadata: { name: 'one' },
  ...fields,
});

const pem = (type: string) => `-----BEGIN ${type}-----\nAAAA\n-----END ${type}-----\n`;

describe('small kinds', () => {
  test('a disruption budget drops the expressions that mean an empty selector', () => {
    const reserved = { key: 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match', operator: 'Exists' };
    const budget = (...matchExpressions: readonly JsonObject[]) =>
      object('policy/v1', 'PodDisruptionBudget', { spec: { selector: { matchExpressions } } });
    expect(answer(budget(reserved)).dropped).toEqual([]);
    expect(answer(budget(reserved, { key: 'app', operator: 'Exists' })).dropped).toEqual([
      'spec.selector.matchExpressions[0]',
    ]);
  });

  test('a quota reports every invalid scope until 1.36, each message once since 1.37', () => {
    const quota = object('v1', 'ResourceQuota', {
      spec: { hard: { cpu: '1', memory: '1Gi' }, scopes: ['BestEffort'] },
    });
    const unfit = 'spec.scopes: Invalid unsupported scope applied to resource';
    expect(answer(quota).errors).toEqual([unfit]);
    expect(answer(quota, { minor: '1.36' }).errors).toEqual([unfit, unfit]);
  });

  test('a runtime class counts huge pages as containers do', () => {
    const runtime = (podFixed: JsonObject) =>
      answer(object('node.k8s.io/v1', 'RuntimeClass', { handler: 'runc', overhead: { podFixed } })).errors;
    expect(runtime({ 'hugepages-2Mi': '2Mi' })).toEqual(['overhead: Forbidden HugePages require cpu or memory']);
    expect(runtime({ cpu: '1', 'hugepages-2Mi': '3Mi' })).toEqual([
      'overhead.limits[hugepages-2Mi]: Invalid 3Mi is not positive integer multiple of hugepages-2Mi',
    ]);
  });

  test('a service account keeps only the names of its secrets', () => {
    const account = object('v1', 'ServiceAccount', { secrets: [{ name: 'a', namespace: 'b', kind: 'Secret' }] });
    expect(answer(account)).toEqual({
      errors: [],
      dropped: ['secrets[0].namespace', 'secrets[0].kind'],
      warnings: [],
    });
  });

  test('a docker configuration is a JSON object', () => {
    const secret = (text: string) =>
      answer(
        object('v1', 'Secret', { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': text } }),
      ).errors;
    expect(secret('{"auths":{}}')).toEqual([]);
    expect(secret('{"auths":{}')).toEqual(['data[.dockerconfigjson]: Invalid unexpected end of JSON input']);
    expect(secret('{auths:{}}')).toEqual([
      "data[.dockerconfigjson]: Invalid invalid character 'a' looking for beginning of object key string",
    ]);
  });

  test('a TLS secret has warnings for missing or misplaced PEM', () => {
    const warnings = (certificate: string, key: string) =>
      answer(
        object('v1', 'Secret', { type: 'kubernetes.io/tls', stringData: { 'tls.crt': certificate, 'tls.key': key } }),
      ).warnings;
    expect(warnings('', '')).toEqual(['tls: failed to find any PEM data in certificate input']);
    expect(warnings(pem('EC PRIVATE KEY'), pem('CERTIFICATE'))).toEqual([expect.stringContaining('switched')]);
    expect(warnings(pem('CERTIFICATE'), pem('CERTIFICATE'))).toEqual([expect.stringContaining('rather than a key')]);
    expect(warnings(pem('CERTIFICATE'), pem('PRIVATE KEY'))).toEqual([]);
  });
});
