import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cidrErrors,
  cidrWarnings,
  formatCidr,
  formatIp,
  interfaceAddressErrors,
  ipErrors,
  ipFamily,
  ipWarnings,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  legacyCidrErrors,
  legacyIpErrors,
  parseCidr,
  parseIp,
} from '../../server/src/kube/ip';

type Texts = readonly string[];
type Address = readonly [text: string, sloppy: Texts, strict: Texts, canonical: Texts, warnings: Texts];
type Block = readonly [...Address, interfaceAddress: Texts];

/** Printed by k8s.io/apimachinery v0.37.1 itself. */
const upstream = JSON.parse(readFileSync(new URL('fixtures/ips.json', import.meta.url), 'utf8')) as {
  readonly addresses: readonly Address[];
  readonly blocks: readonly Block[];
};

describe('addresses as upstream validates them', () => {
  it.each(upstream.addresses)('%j', (text, ...expected) => {
    expect([legacyIpErrors(text, 'sloppy'), legacyIpErrors(text, 'strict'), ipErrors(text), ipWarnings(text)]).toEqual(
      expected,
    );
  });
});

describe('blocks as upstream validates them', () => {
  it.each(upstream.blocks)('%j', (text, ...expected) => {
    expect([
      legacyCidrErrors(text, 'sloppy'),
      legacyCidrErrors(text, 'strict'),
      cidrErrors(text),
      cidrWarnings(text),
      interfaceAddressErrors(text),
    ]).toEqual(expected);
  });
});

const byte = fc.nat({ max: 255 });
const group = fc.oneof(fc.constant(0), fc.nat({ max: 0xffff }));
const ipv4 = fc.tuple(byte, byte, byte, byte);
const ipv6 = fc.array(group, { minLength: 8, maxLength: 8 }).filter(it => it.slice(0, 5).some(part => part !== 0));

describe('any address', () => {
  it('parses what it prints', () => {
    fc.assert(
      fc.property(fc.oneof(ipv4, ipv6), parts => {
        const long = parts.length === 4 ? parts.join('.') : parts.map(it => it.toString(16)).join(':');
        const ip = parseIp(long);
        expect(ip).toBeDefined();
        const short = formatIp(ip as NonNullable<typeof ip>);
        expect(parseIp(short)).toEqual(ip);
        expect(ipErrors(short)).toEqual([]);
        expect(ipWarnings(short)).toEqual([]);
        expect(short.length).toBeLessThanOrEqual(long.length);
      }),
    );
  });

  it('is in the canonical block of each of its prefixes', () => {
    fc.assert(
      fc.property(ipv4, fc.nat({ max: 32 }), (parts, length) => {
        const block = parseCidr(`${parts.join('.')}/${length}`);
        const network = formatCidr(block as NonNullable<typeof block>);
        expect(cidrErrors(network)).toEqual([]);
        const value = (it: readonly number[]) => it.reduce((sum, part) => sum * 256 + part, 0);
        const start = value(parseCidr(network)?.network.bytes ?? []);
        expect(value(parts) - start).toBeGreaterThanOrEqual(0);
        expect(value(parts) - start).toBeLessThan(2 ** (32 - length));
      }),
    );
  });

  it('has a category', () => {
    const of = (text: string) => {
      const ip = parseIp(text) as NonNullable<ReturnType<typeof parseIp>>;
      const kinds = { isUnspecified, isLoopback, isLinkLocalUnicast, isLinkLocalMulticast };
      return [ipFamily(ip), ...Object.entries(kinds).flatMap(([name, is]) => (is(ip) ? [name] : []))];
    };
    expect(of('10.0.0.1')).toEqual(['IPv4']);
    expect(of('2001:db8::1')).toEqual(['IPv6']);
    expect(of('::ffff:10.0.0.1')).toEqual(['IPv4']);
    for (const it of ['0.0.0.0', '::', '::ffff:0.0.0.0']) expect(of(it)).toContain('isUnspecified');
    for (const it of ['127.0.0.1', '127.9.9.9', '::1']) expect(of(it)).toContain('isLoopback');
    for (const it of ['169.254.1.1', 'fe80::1', 'febf::1']) expect(of(it)).toContain('isLinkLocalUnicast');
    for (const it of ['224.0.0.251', 'ff02::fb', 'ff12::1']) expect(of(it)).toContain('isLinkLocalMulticast');
    for (const it of ['fec0::1', 'ff01::1', '224.0.1.1', '169.253.0.1']) expect(of(it)).toHaveLength(1);
  });
});
