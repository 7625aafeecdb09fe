import { describe, expect, test } from 'vitest';
import { diagnose, fixed, fixesOf } from '../support/check';

const deviceClass = (version: string) => `apiVersion: resource.k8s.io/${version}
kind: DeviceClass
metadata: { name: gpu }
spec:
  selectors:
    - cel: { expression: device.driver == "gpu.example.com" }
`;
const flatClaim = `apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: { name: gpu }
spec:
  devices:
    requests: [{ name: gpu, deviceClassName: gpu }]
`;
const endpoints = `apiVersion: v1
kind: Endpoints
metadata: { name: web }
`;
const changes = (text: string) => fixesOf(text).filter(it => it.title.startsWith('Change apiVersion'));
const codes = (text: string, minor: string) => diagnose(text, { minor }).map(it => it.code);

describe('warning/deprecated-api', () => {
  test('reports from the minor on that deprecates the version', () => {
    expect(codes(deviceClass('v1beta2'), '1.35')).not.toContain('warning/deprecated-api');
    expect(codes(deviceClass('v1beta2'), '1.36')).toContain('warning/deprecated-api');
    expect(codes(endpoints, '1.32')).not.toContain('warning/deprecated-api');
  });

  test('changes the version, safely if the other one has all written fields', () => {
    expect(changes(deviceClass('v1beta2')).map(it => it.safety)).toEqual(['safe']);
    expect(fixed(deviceClass('v1beta2'), 'Change apiVersion')).toBe(deviceClass('v1'));
    expect(changes(flatClaim).map(it => [it.title, it.safety])).toEqual([
      ['Change apiVersion to resource.k8s.io/v1 and move fields', 'safe'],
    ]);
    expect(fixed(flatClaim, 'Change apiVersion')).toContain('exactly: { deviceClassName: gpu }');
  });

  test('offers no fix for a kind that another kind replaces', () => {
    expect(codes(endpoints, '1.37')).toContain('warning/deprecated-api');
    expect(changes(endpoints)).toEqual([]);
  });
});
