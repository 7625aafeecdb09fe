import { describe, expect, test } from 'vitest';
import { oldCidrWarnings, oldIpWarnings } from '../../server/src/kube/netip';

const refused = 'was accepted, but will be invalid in a future Kubernetes release';

describe('the complaint of Go’s strict parser about an address', () => {
  test.each([
    ['example', 'unable to parse IP'],
    ['%eth0', 'missing IPv6 address'],
    ['example.com', 'unexpected character (at "example.com")'],
    ['1.2.3', 'IPv4 address too short'],
    ['1.2.3.4.5', 'IPv4 address too long'],
    ['1.2.3.04', 'IPv4 field has octet with leading zero'],
    ['1.2.300.4', 'IPv4 field has value >255'],
    ['1..2.3', 'IPv4 field must have at least one digit (at ".2.3")'],
    ['.1.2.3', 'IPv4 field must have at least one digit (at ".1.2.3")'],
    ['1.2.3.', 'IPv4 field must have at least one digit (at ".")'],
    ['1:2', 'address string too short'],
    ['1::2::3', 'multiple :: in address (at ":3")'],
    ['1::2:', 'colon must be followed by more characters (at ":")'],
    ['fe80::00001', 'each group must have 4 or less digits (at "00001")'],
    ['g::', 'each colon-separated field must have at least one digit (at "g::")'],
    ['1::g', 'each colon-separated field must have at least one digit (at "g")'],
    ['1:2:3:4:5:6:7:8:9', 'trailing garbage after address (at "9")'],
    ['1::2:3:4:5:6:7:8', 'the :: must expand to at least one field of zeros'],
    ['1:2:1.2.3.4', 'embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")'],
    ['::1.2.3.04', 'IPv4 field has octet with leading zero'],
  ])('%s', (address, complaint) => {
    expect(oldIpWarnings(address)).toEqual([
      `IP address ${refused}: ParseAddr(${JSON.stringify(address)}): ${complaint}`,
    ]);
  });

  test('nothing is said of a canonical one', () => {
    for (const it of ['10.0.0.1', '2001:db8::1', '::ffff:1.2.3.4', '::']) expect(oldIpWarnings(it)).toEqual([]);
  });

  test('the canonical form is told', () => {
    expect(oldIpWarnings('2001:DB8::0')).toEqual([
      'IPv6 address "2001:DB8::0" is not in RFC 5952 canonical format ("2001:db8::"), which may cause controller apply-loops',
    ]);
  });
});

describe('the complaint about a block', () => {
  test.each([
    ['1.2.3.4', "no '/'"],
    ['1.2.3.0/024', 'bad bits after slash: "024"'],
    ['1.2.3.0/24 ', 'bad bits after slash: "24 "'],
    ['1.2.3.0/33', 'prefix length out of range'],
    [' 1.2.3.0/24', 'ParseAddr(" 1.2.3.0"): unexpected character (at " 1.2.3.0")'],
  ])('%s', (block, complaint) => {
    expect(oldCidrWarnings(block)).toEqual([
      `IP prefix ${refused}: netip.ParsePrefix(${JSON.stringify(block)}): ${complaint}`,
    ]);
  });
});
