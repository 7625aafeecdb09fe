import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../server/src/base/json';
import { jmespath } from '../../../server/src/policy/kyverno/jmespath/jmespath';
import { budgetOf, Indeterminate, OutOfSteps, UnknownKey } from '../../../server/src/policy/kyverno/results/failures';

const now = Date.UTC(2026, 0, 2, 3, 4, 5);
const search = (query: string, data: JsonValue = {}): JsonValue => jmespath(now).search(query, data, budgetOf(100_000));

describe('paths', () => {
  const pod = {
    metadata: { labels: { a: 'x' } },
    spec: { containers: [{ name: 'a', n: 1 }, { name: 'b' }], volumes: null },
  };
  const cases: readonly (readonly [query: string, value: JsonValue])[] = [
    ['spec.containers[].name', ['a', 'b']],
    ['spec.containers[?n].name', ['a']],
    ['spec.containers[*].n', [1]],
    ['spec.[initContainers, containers][]', [...pod.spec.containers]],
    ['spec.initContainers || `[]`', []],
    ['spec.volumes[0].name', null],
    ['metadata.labels.*', ['x']],
    ['spec.containers[-1].name', 'b'],
    ['spec.containers[::-1].name', ['b', 'a']],
    ["{name: metadata.name || 'none'}", { name: 'none' }],
    ['spec.containers[?n > `0`] | length(@)', 1],
    ["'\\d'", '\\d'],
    ["'\\\\d'", '\\\\d'],
    ["'it\\'s'", "it's"],
    ['metadata.labels.b == `null`', true],
    ["'a' < 'b'", null],
  ];
  it.each(cases)('%s', (query, value) => expect(search(query, pod)).toEqual(value));

  it('a missing key is an error, but not in an existence check', () => {
    expect(() => search('metadata.annotations.a', pod)).toThrow(new UnknownKey('annotations'));
    expect(search("metadata.annotations.a || 'none'", pod)).toBe('none');
    expect(search('length(metadata.annotations || `{}`)', pod)).toBe(0);
  });

  it('features of later versions of the language are rejected', () => {
    expect(() => search('$.a', {})).toThrow('is not part of JMESPath as Kyverno reads it');
    expect(() => search('a + b', {})).toThrow('incorrect query a + b');
    expect(() => search('a[', {})).toThrow('incorrect query');
  });
});

describe('functions', () => {
  const cases: readonly (readonly [query: string, value: JsonValue])[] = [
    ["compare('a', 'b')", -1],
    ["equal_fold('Go', 'GO')", true],
    ["replace('aaa', 'a', 'b', `2`)", 'bba'],
    ["replace_all('a.b.c', '.', '-')", 'a-b-c'],
    ["to_upper('ab')", 'AB'],
    ["trim('xxabxx', 'x')", 'ab'],
    ["trim_prefix('v1.2', 'v')", '1.2'],
    ["split('a,b', ',')", ['a', 'b']],
    ["regex_match('^[0-9]+$', '12')", true],
    ["regex_match('^[0-9]+$', `12`)", true],
    ["regex_replace_all('([a-z]+)=([a-z]+)', 'k=v', '$2=$1')", 'v=k'],
    ["regex_replace_all_literal('b*', 'abc', '$')", '$a$c$'],
    ["regex_replace_all('(?P<k>[a-z]+)=(?i:V)', 'k=v', '$k')", 'k'],
    ["regex_match('(?i)^(?:docker\\.io|(?-i:ghcr))/[[:^space:]]+\\z', 'DOCKER.io/a')", true],
    ["regex_match('^\\Qa.b\\E', 'axb')", false],
    ["pattern_match('ab*', 'abc')", true],
    ['label_match(`{"a":"1"}`, `{"a":"1","b":"2"}`)', true],
    ["to_boolean('True')", true],
    ['add(`1`, `2`)', 3],
    ["add('1Gi', '512Mi')", '1536Mi'],
    ["add('1h', '30s')", '1h0m30s'],
    ['sum(`["10Mi", "10Mi"]`)', '20Mi'],
    ["subtract('2', '500m')", '1500m'],
    ["multiply('10Mi', `3`)", '30Mi'],
    ["multiply(`2`, '45m')", '90m'],
    ["divide('10Gi', '5Gi')", 2],
    ["divide('1h', `2`)", '30m0s'],
    ["divide('10', `4`)", '2'],
    ["modulo('10', '4')", '2'],
    ['modulo(`7`, `4`)', 3],
    ['round(`3.14159`, `2`)', 3.14],
    ["base64_decode('aGk=')", 'hi'],
    ["base64_encode('hi')", 'aGk='],
    ["path_canonicalize('/a/../b//c/.')", '/b/c'],
    ["truncate('héllo', `2`)", 'hé'],
    ["semver_compare('1.2.3', '>=1.0.0 <2.0.0')", true],
    ["semver_compare('2.1.0', '1.x || >2.0.0')", true],
    ["semver_compare('1.3.0', '1.2.x')", false],
    ['parse_json(\'{"a": [1]}\')', { a: [1] }],
    ["parse_yaml('a: [1]')", { a: [1] }],
    ['lookup(`{"a": 1}`, \'a\')', 1],
    ['lookup(`[5, 6]`, `1`)', 6],
    [
      'items(`{"b": 2, "a": 1}`, \'k\', \'v\')',
      [
        { k: 'a', v: 1 },
        { k: 'b', v: 2 },
      ],
    ],
    ['object_from_lists(`["a", "b"]`, `[1]`)', { a: 1, b: null }],
    ["image_normalize('nginx')", 'docker.io/nginx:latest'],
    [
      "image_normalize('ghcr.io/a/b@sha256:0123456789012345678901234567890123456789012345678901234567890123')",
      'ghcr.io/a/b@sha256:0123456789012345678901234567890123456789012345678901234567890123',
    ],
    ["is_external_url('https://10.0.0.1/x')", false],
    ["is_external_url('https://8.8.8.8/x')", true],
    ["sha256('abc')", 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ["sha1('abc')", 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    ["md5('abc')", '900150983cd24fb0d6963f7d28e17f72'],
    ['time_now_utc()', '2026-01-02T03:04:05Z'],
    ["time_add('2026-01-01T00:00:00Z', '36h')", '2026-01-02T12:00:00Z'],
    ["time_diff('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z')", '24h0m0s'],
    ["time_before('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z')", true],
    ["time_between('2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z', '2026-01-03T00:00:00Z')", true],
    ["time_parse('1', '86400')", '1970-01-02T00:00:00Z'],
    ["time_parse('Mon Jan _2 2006 15:04:05 -0700', 'Fri Jun 22 2022 17:45:00 +0100')", '2022-06-22T17:45:00+01:00'],
    ["time_to_cron('2022-04-11T03:14:05-07:00')", '14 3 11 4 1'],
    ["time_truncate('2021-01-02T03:04:05Z', '1h')", '2021-01-02T03:00:00Z'],
    ["time_utc('2021-01-02T03:04:05+02:00')", '2021-01-02T01:04:05Z'],
    ["time_since('', '2026-01-02T03:04:00Z', '')", '5s'],
    ['max_by(`[{"n": 1}, {"n": 3}]`, &n).n', 3],
    ['sort_by(`[{"n": 2}, {"n": 1}]`, &n)[].n', [1, 2]],
    ['map(&to_string(@), `[1, true]`)', ['1', 'true']],
    ['join(\'-\', sort(keys(`{"b": 1, "a": 2}`)))', 'a-b'],
    ["to_number('1.5')", 1.5],
    ['to_string(`{"b": "<", "a": 1}`)', '{"a":1,"b":"\\u003c"}'],
    ['not_null(`null`, `2`)', 2],
    ['type(`[]`)', 'array'],
    ["contains('abc', 'b')", true],
  ];
  it.each(cases)('%s', (query, value) => expect(search(query)).toEqual(value));

  const refusals: readonly (readonly [query: string, message: string])[] = [
    ['nope(@)', 'unknown function: nope'],
    ["to_upper('a', 'b')", 'incorrect number of args'],
    ['to_upper(`1`)', 'Invalid type for: 1, expected: string'],
    ['divide(`1`, `0`)', 'Zero divisor passed'],
    ["add('1Gi', '1h')", 'Types mismatch'],
    ["add('x', `1`)", 'invalid operand'],
    ["to_boolean('yes')", "must be 'true' or 'false'"],
    ["regex_match('(', 'a')", 'error parsing regexp'],
    ["time_utc('noon')", 'cannot parse'],
  ];
  it.each(refusals)('%s is refused', (query, message) => expect(() => search(query)).toThrow(message));

  it.each(["random('[a-z]{5}')", "is_external_url('https://example.com')"])('%s is undecided', query => {
    expect(() => search(query)).toThrow(Indeterminate);
  });

  it('functions of the current time are undecided without a time', () => {
    expect(() => jmespath().search('time_now()', {}, budgetOf(100))).toThrow(Indeterminate);
  });
});

describe('certificates', () => {
  const certificate = `-----BEGIN CERTIFICATE-----
MIICSjCCAbOgAwIBAgICEjQwDQYJKoZIhvcNAQELBQAwQDELMAkGA1UEBhMCSlAx
EDAOBgNVBAoMB0V4YW1wbGUxDzANBgNVBAoMBlNlY29uZDEOMAwGA1UEAwwFYmVy
dGgwHhcNMjYxMTIxMjAxOTAwWhcNMzYxMTE4MjAxOTAwWjBAMQswCQYDVQQGEwJK
UDEQMA4GA1UECgwHRXhhbXBsZTEPMA0GA1UECgwGU2Vjb25kMQ4wDAYDVQQDDAVi
ZXJ0aDCBnzANBgkqhkiG9w0BAQEFAAOBjQAwgYkCgYEAptiy1UftuQ9l9+5Kj1vZ
iAajv8qYN2N4Lg7fBfbYFGjipnbPbAv6GFu67piu0IYvISgLmQ/K/KGG9C7cn3kV
lMIXBYkYpJcjF0DrvEw1LnWHDXrTwUQyzqD1xtufVU3Saa/ezunWfs0lyNjFN8sN
Htt7bTHBwyWi/5McyDlfhCECAwEAAaNTMFEwHQYDVR0OBBYEFJTFAteonRxPWtcM
MbPHnggY+wjrMB8GA1UdIwQYMBaAFJTFAteonRxPWtcMMbPHnggY+wjrMA8GA1Ud
EwEB/wQFMAMBAf8wDQYJKoZIhvcNAQELBQADgYEAExJIeyP5cuB/7rLgHhZHa5pJ
eMDpTi6xBLOfu/iEg6ptK+ekLXNZ1kdIAw/Xu7EfnZqr3AkRub2wIWNHDAu+5V4z
skh6AALLS0OU18b+Fz4mCJ2kfN8sG8VUvdlsUdF88Cem1bXLIwXm7/DNTzE6dfZO
4FQ1QTCc9KskSkiuS4k=
-----END CERTIFICATE-----`;
  const request = `-----BEGIN CERTIFICATE REQUEST-----
MIIBZjCB0AIBADAnMRcwFQYDVQQKDA5zeXN0ZW06bWFzdGVyczEMMAoGA1UEAwwD
ZGV2MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCm2LLVR+25D2X37kqPW9mI
BqO/ypg3Y3guDt8F9tgUaOKmds9sC/oYW7rumK7Qhi8hKAuZD8r8oYb0LtyfeRWU
whcFiRiklyMXQOu8TDUudYcNetPBRDLOoPXG259VTdJpr97O6dZ+zSXI2MU3yw0e
23ttMcHDJaL/kxzIOV+EIQIDAQABoAAwDQYJKoZIhvcNAQELBQADgYEAhzHb+V4Z
WZlfKfVG/rAjAtmiGxDTj0Xot0QLpXdP6apTXAeVdroommwIhRcLSyBO9K5EBV5z
wJ0dw+Bq8fIfNoPX4ljP3aeE/bq6saLT6nV3q13mOfpfbnVRLVZKWgbMJ6bddDRr
36nZHIfQbEjlXGHbexCt57nVmfItvjTk2pE=
-----END CERTIFICATE REQUEST-----`;
  const decode = (query: string, pem: string): JsonValue => search(`x509_decode(pem).${query}`, { pem });
  const cases: readonly (readonly [query: string, pem: string, value: JsonValue])[] = [
    ['Subject.CommonName', certificate, 'berth'],
    ['Subject.Organization', certificate, ['Example', 'Second']],
    ['Subject.Names[0]', certificate, { Type: [2, 5, 4, 6], Value: 'JP' }],
    ['Issuer.Locality', certificate, null],
    ['NotAfter', certificate, '2036-11-18T20:19:00Z'],
    ['SerialNumber', certificate, 4660],
    ['Version', certificate, 3],
    ['PublicKey.E', certificate, 65537],
    ['Subject.Organization', request, ['system:masters']],
    ['Version', request, 0],
  ];
  it.each(cases)('%s', (query, pem, value) => expect(decode(query, pem)).toEqual(value));

  it('report fields that are not read, and reject invalid input', () => {
    expect(() => decode('DNSNames', certificate)).toThrow(new Indeterminate('x509_decode does not read DNSNames here'));
    expect(() => decode('Subject', 'text')).toThrow('failed to decode PEM block');
    const cut = certificate.replace(/\n[^\n]{20}/, '\n');
    expect(() => decode('Subject', cut)).toThrow('x509');
  });
});

describe('bounds', () => {
  it('a query that multiplies its work is stopped', () => {
    const items = Array.from({ length: 2000 }, (_, i) => i);
    const query = 'a[].map(&map(&add(@, `1`), `[1,2,3,4,5,6,7,8,9]`), `[1,2,3,4,5,6,7,8,9,10,11,12]`)';
    expect(() => search(query, { a: items.map(() => ({})) })).toThrow(OutOfSteps);
  });

  it('a pattern that could backtrack exponentially takes linear time', () => {
    expect(search(`regex_match('^(a+)+$', '${'a'.repeat(40)}b')`)).toBe(false);
    expect(search(`regex_match('^a*a*a*a*a*a*a*a*b$', '${'a'.repeat(3000)}')`)).toBe(false);
    expect(search(`regex_replace_all('(a+)+$', '${'a'.repeat(40)}b', 'x')`)).toBe(`${'a'.repeat(40)}b`);
    expect(search(`regex_replace_all('a*a*a*b', '${'a'.repeat(3000)}b', 'x')`)).toBe('x');
  });

  it('a pattern with too many instructions for a text is undecided', () => {
    const text = 'a'.repeat(100_000);
    expect(() => search("regex_match('^(a{1,500}b?){1,2}$', a)", { a: text })).toThrow(Indeterminate);
    expect(() => search("regex_replace_all('^(a{1,500}b?){1,2}$', a, 'x')", { a: text })).toThrow(Indeterminate);
  });

  it("patterns spend little of the rule's budget", () => {
    const items = Array.from({ length: 300 }, () => 'a'.repeat(5_000));
    expect(() => search("a[?regex_match('^(a{1,100}b?){1,2}$', @)]", { a: items })).toThrow(OutOfSteps);
  });
});
