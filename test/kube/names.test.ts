import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  configMapKeyErrors,
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  envVarNameErrors,
  labelValueErrors,
  portNameErrors,
  qualifiedNameErrors,
  relaxedEnvVarNameErrors,
} from '../../server/src/kube/names';

interface Checked {
  readonly text: string;
  readonly [check: string]: string | readonly string[];
}

/** Printed by k8s.io/apimachinery v0.37.1 itself. */
const upstream = JSON.parse(readFileSync(new URL('fixtures/names.json', import.meta.url), 'utf8')) as Checked[];

describe('names as upstream validates them', () => {
  it.each(upstream)('$text', expected => {
    const { text } = expected;
    expect({
      text,
      label: dns1123LabelErrors(text),
      subdomain: dns1123SubdomainErrors(text),
      qualified: qualifiedNameErrors(text),
      value: labelValueErrors(text),
      label1035: dns1035LabelErrors(text),
      port: portNameErrors(text),
    }).toEqual(expected);
  });
});

describe('keys and variables', () => {
  it('accepts what upstream accepts', () => {
    for (const key of ['app.properties', 'KEY_1', '-', '...a'.slice(2)]) expect(configMapKeyErrors(key)).toEqual([]);
    for (const name of ['PATH', 'my.env-name', '_x', '-v']) expect(envVarNameErrors(name)).toEqual([]);
    for (const name of ['1 2', '%', 'a;b']) expect(relaxedEnvVarNameErrors(name)).toEqual([]);
  });

  it('reports what is wrong', () => {
    expect(configMapKeyErrors('..')).toEqual(["must not be '..'"]);
    expect(configMapKeyErrors('..x')).toEqual(["must not start with '..'"]);
    expect(envVarNameErrors('1A')).toEqual([
      "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must " +
        "not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation " +
        "is '[-._a-zA-Z][-._a-zA-Z0-9]*')",
    ]);
    expect(relaxedEnvVarNameErrors('')).toEqual(['environment variable name must be non-empty']);
    expect(relaxedEnvVarNameErrors('a=b')).toHaveLength(1);
    expect(relaxedEnvVarNameErrors('ä')).toHaveLength(1);
  });
});
