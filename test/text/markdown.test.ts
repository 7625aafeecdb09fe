import fc from 'fast-check';
import { lexer, type Token } from 'marked';
import { describe, expect, it } from 'vitest';
import { cellText, codeBlock, codeSpan, plainMarkdown } from '../../server/src/text/markdown';
import { printable } from '../../server/src/text/printable';

/** Every token of a Markdown text, as VS Code's library parses it. */
function tokensOf(markdown: string): readonly Token[] {
  const all = (tokens: readonly Token[]): readonly Token[] =>
    tokens.flatMap(it => [it, ...all('tokens' in it ? (it.tokens ?? []) : []), ...all('items' in it ? it.items : [])]);
  return all(lexer(markdown));
}

/** Tokens that link somewhere or load something. */
const leads = (markdown: string): readonly string[] =>
  tokensOf(markdown)
    .filter(it => ['link', 'image', 'html', 'def'].includes(it.type))
    .map(it => it.raw);

const markup = fc.array(
  fc.oneof(
    fc.constantFrom(
      ...[
        '![a](http://x.test/p.png)',
        '[a](command:b)',
        '<img src=x>',
        '<http://x.test>',
        'https://x.test',
        'www.x.test',
      ],
      ...[
        'a@x.test',
        '[a]: http://x.test',
        '\n',
        '`',
        '```',
        '~~~',
        '*',
        '_',
        '|',
        '\\',
        '!',
        '[',
        ']',
        '(',
        ')',
        '<',
        '&#33;',
      ],
    ),
    fc.string({ maxLength: 4 }),
  ),
  { maxLength: 8 },
);

describe('Markdown from untrusted texts', () => {
  it('would make links of the same texts unescaped', () => {
    expect(leads('![a](http://x.test/p.png) https://x.test <img src=x>')).toHaveLength(3);
  });

  it('has no link, image or HTML in a plain text', () => {
    fc.assert(
      fc.property(markup, parts => void expect(leads(plainMarkdown(parts.join('')))).toEqual([])),
      { numRuns: 500 },
    );
  });

  it('shows a plain text as it is', () => {
    const paragraph = lexer(plainMarkdown('see https://x.test/a_b, *not* <b> | `c`'))[0] as {
      tokens: { text: string }[];
    };
    expect(paragraph.tokens.map(it => it.text).join('')).toBe('see https://x.test/a_b, *not* <b> | `c`');
  });

  it('keeps a cell in its row', () => {
    const names = ['a\nb', 'a\r\n| b |', 'a | b', '`\n\n# a', '\r'];
    const rows = names.map(it => `| ${cellText(it)} | x |`);
    const [table, ...others] = lexer(['| a | b |', '|---|---|', ...rows].join('\n')) as {
      rows?: { text: string }[][];
    }[];
    expect(others).toEqual([]);
    expect(table?.rows?.map(row => row.map(it => it.text).at(-1))).toEqual(names.map(() => 'x'));
  });

  it('keeps a code span whole', () => {
    const check = (text: string): void => {
      const tokens = tokensOf(`x ${codeSpan(text)} y`).filter(it => it.type === 'codespan');
      expect(tokens).toHaveLength(1);
      const shown = printable(text);
      expect(tokens[0]).toMatchObject({
        text: shown.trim() === '' ? expect.any(String) : expect.stringContaining(shown.trim()),
      });
    };
    for (const text of ['web', 'a`b', '``', '`x', 'x`', 'a\nb', '`` ` ``']) check(text);
    fc.assert(
      fc.property(markup, parts => check(parts.join(''))),
      { numRuns: 500 },
    );
  });

  it('keeps a code block whole', () => {
    const check = (text: string): void => {
      const tokens = lexer(`${codeBlock('yaml', text)}\n\nafter`).filter(it => it.type !== 'space');
      expect(tokens.map(it => it.type)).toEqual(['code', 'paragraph']);
    };
    check('a: |\n  ```\n  ![x](http://x.test)\n````');
    fc.assert(
      fc.property(markup, parts => check(parts.join(''))),
      { numRuns: 500 },
    );
  });
});
