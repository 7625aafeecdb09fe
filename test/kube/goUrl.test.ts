import { describe, expect, test } from 'vitest';
import { parseGoUrl, parseRequestUri } from '../../server/src/kube/goUrl';

describe('parseGoUrl answers as Go 1.26', () => {
  test.each<[string, object]>([
    [
      'https://u:p@Example.com:443/a?b=c#d',
      { scheme: 'https', user: 'u:p', host: 'Example.com:443', query: 'b=c', fragment: 'd' },
    ],
    ['HTTP://h', { scheme: 'http', host: 'h', user: undefined }],
    ['https://%C3%A9', { host: 'é' }],
    ['https://[::1]:80', { host: '[::1]:80' }],
    ['https://[fe80::1%25en0]', { host: '[fe80::1%en0]' }],
    ['x://a:b:1', { host: 'a:b:1' }],
    ['mailto:a', { scheme: 'mailto', host: '', path: '' }],
    ['a/b', { scheme: '', path: 'a/b' }],
    ['*', { path: '*' }],
    ['', { path: '' }],
  ])('%s', (text, parts) => {
    expect(parseGoUrl(text)).toMatchObject(parts);
  });

  test.each([
    ['https://h/\n', 'net/url: invalid control character in URL'],
    [':a', 'missing protocol scheme'],
    ['1:b/c', 'first path segment in URL cannot contain colon'],
    ['https://h/%zz', 'invalid URL escape "%zz"'],
    ['https://%41', 'invalid URL escape "%41"'],
    ['https://h#%', 'invalid URL escape "%"'],
    ['https://a b', 'invalid character " " in host name'],
    ['https://h:x', 'invalid port ":x" after host'],
    ['https://a:1:2', 'invalid port ":1:2" after host'],
    ['https://[::1', "missing ']' in host"],
    ['https://a[::1]', 'invalid IP-literal'],
    ['https://[1.2.3.4]', 'invalid IP-literal'],
    ['https://[a]', 'invalid host: ParseAddr("a"): unable to parse IP'],
    ['https://a|b@h', 'net/url: invalid userinfo'],
  ])('%s: %s', (text, problem) => {
    expect(parseGoUrl(text)).toMatchObject({ problem });
  });

  test('a request is absolute', () => {
    expect(parseRequestUri('a/b')).toEqual({ problem: 'invalid URI for request', of: 'a/b' });
    expect(parseRequestUri('')).toEqual({ problem: 'empty url', of: '' });
  });
});
