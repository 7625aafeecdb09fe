import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfigFile } from '../../server/src/policy/conftest/configFile';
import { parseToml } from '../../server/src/policy/conftest/toml';

describe('TOML', () => {
  const read = (text: string) => Object.fromEntries(parseToml(text).entries.map(it => [it.key.join('.'), it.value]));

  it('reports lists and tables that are nested too deep, and does not throw', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{a=', '}'],
    ] as const) {
      const nested = (depth: number) =>
        parseToml(`a = ${open.repeat(depth)}${close === '}' ? '1' : ''}${close.repeat(depth)}`);
      expect(nested(20_000).error?.message).toBe('Lists and tables are nested too deep here.');
      expect(nested(50).error).toBeUndefined();
    }
  });

  it('answers any text, and any value of any option', () => {
    const piece = fc.constantFrom(
      ...[
        '[',
        ']',
        '[[',
        ']]',
        '{',
        '}',
        '=',
        '.',
        ',',
        '"',
        "'",
        '"""',
        "'''",
        '\\',
        '\\u',
        '\n',
        '\r\n',
        ' ',
        '#',
        '\0',
      ],
      ...[
        'policy',
        'combine',
        'ignore',
        '__proto__',
        'toString',
        'true',
        '-1',
        '1e999',
        '0x',
        'inf',
        '2026-01-02',
        '\u{1f433}',
      ],
    );
    const values = [
      '',
      '1',
      '9'.repeat(30),
      'true',
      '"x"',
      '[]',
      '[1, "x"]',
      '{}',
      '{ toString = 1 }',
      '[[1]]',
      '2026-01-02',
    ];
    const options = [
      'policy',
      'data',
      'namespace',
      'combine',
      'ignore',
      'capabilities',
      'parser',
      'output',
      '__proto__',
      'a.b',
    ];
    for (const option of options) for (const it of values) readConfigFile('conftest.toml', `${option} = ${it}\n`);
    const answered = fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 30 }), parts => {
      const { problems } = readConfigFile('conftest.toml', parts.join(''));
      expect(problems.every(it => it.message !== '')).toBe(true);
    });
    fc.assert(answered, { numRuns: 2_000, seed: 7 });
  });

  it('reads all kinds of values', () => {
    const text = `\uFEFF# first
plain = "a \\"b\\" \\u00e9\\t"   # a comment
'raw key' = 'C:\\path'
long = """
one \\
   two
"three" """
rawLong = '''
it's'''
numbers = [1, -2_000, 0xff, 1.5e3, +inf, # inside
  0b11,
]
flags = [true, false]
when = 2026-01-02T03:04:05Z
a."b.c".d = 1
inline = { x = 1, y.z = "q" }
[table.one]
k = 1
[[list]]
k = 2`;
    expect(read(text)).toEqual({
      plain: 'a "b" é\t',
      'raw key': 'C:\\path',
      long: 'one two\n"three" ',
      rawLong: "it's",
      numbers: [1, -2000, 255, 1500, Number.POSITIVE_INFINITY, 3],
      flags: [true, false],
      when: '2026-01-02T03:04:05Z',
      'a.b.c.d': 1,
      inline: { x: 1, 'y.z': 'q' },
      'table.one.k': 1,
      'list.k': 2,
    });
  });

  it.each([
    ['policy = "a', 10, 'unterminated string constant'],
    ['policy "a"', 7, 'expected equal (=) token'],
    ['a = 1 b = 2', 6, 'must be a newline'],
    ['a = [1 2]', 7, 'expected comma (,) token'],
    ['a = "\\q"', 6, 'invalid character in escape sequence'],
    ['[a', 1, 'unterminated table-key'],
    ['a = 1\na = 2', 6, 'defining a key multiple times is invalid'],
    ['a = 01', 4, 'leading zeros are not allowed'],
    ['', 0, undefined],
  ])('reports a syntax error where it is: %j', (text, start, words) => {
    const { error } = parseToml(text);
    expect(error).toEqual(words && { message: `This is no TOML: ${words}.`, span: { start, end: start + 1 } });
  });
});

describe('conftest.toml', () => {
  const read = (text: string) => readConfigFile('conftest.toml', text);

  it('has the options of the command line', () => {
    const { settings, problems } = read(`Policy = "rego,more"
data = ["values"]
all-namespaces = true
namespace = "team"
combine = "true"
ignore = 'skip/'
rego-version = "V0"
strict = true
fail-on-warn = true
show-builtin-errors = false
output = "json"
`);
    expect(problems).toEqual([]);
    expect(settings).toEqual({
      policy: ['rego', 'more'],
      data: ['values'],
      namespaces: ['*'],
      combine: true,
      ignore: 'skip/',
      regoVersion: 'v0',
      strict: true,
      failOnWarn: true,
    });
  });

  it('reports invalid options at their location', () => {
    const text = 'polcy = "x"\ncombine = "maybe"\nupdate = ["https://example.org/p"]\nparser = "hcl2"\n';
    const { problems, settings } = read(text);
    const reported = problems.map(it => [text.slice(it.span.start, it.span.end), it.severity, it.message]);
    expect(reported).toEqual([
      ['polcy', 'warning', 'Conftest has no option `polcy`.'],
      ['"maybe"', 'error', 'Conftest cannot use this value for `combine`.'],
      ['["https://example.org/p"]', 'info', expect.stringContaining('Berth downloads nothing')],
      ['"hcl2"', 'info', expect.stringContaining('reads as YAML and JSON')],
    ]);
    expect(settings.policy).toEqual(['policy']);
  });
});
