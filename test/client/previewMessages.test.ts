import { describe, expect, it } from 'vitest';
import { type FromPreview, isFromPreview } from '../../client/src/preview/messages';

const mover = { kind: 'vpa', vpa: 'prod/web', mode: 'Auto', round: 1, now: 0 } as never;
const GOOD: readonly FromPreview[] = [
  { type: 'ready' },
  { type: 'choose', pod: 'default/web' },
  { type: 'try', whatIf: { changes: [{ do: 'nodeDown', node: 'n1' }], strategy: 'pack', mover } },
  { type: 'try', whatIf: { changes: [], order: ['default/web'] } },
  { type: 'apply', pod: 'default/web', suggestion: 0 },
  { type: 'tryOn', pod: 'default/web', node: 'n1' },
  { type: 'askMovers', kind: 'descheduler' },
  { type: 'save', format: 'png', content: 'AAAA' },
];

describe('a message of the page', () => {
  it.each(GOOD)('counts: %j', message => {
    expect(isFromPreview(message)).toBe(true);
  });

  it.each([
    undefined,
    'ready',
    { type: 'toString' },
    { type: 'run', command: 'rm' },
    { type: 'choose', pod: { toString: 'web' } },
    { type: 'try', whatIf: { changes: 'all' } },
    { type: 'try', whatIf: { changes: [null] } },
    { type: 'try', whatIf: { changes: [], source: ['live:prod'] } },
    { type: 'try', whatIf: { changes: [], mover: { kind: 'other' } } },
    { type: 'try', whatIf: { changes: [], order: 'default/web' } },
    { type: 'try', whatIf: { changes: [], order: [{}] } },
    { type: 'apply', pod: 'default/web', suggestion: '__proto__' },
    { type: 'askMovers', kind: 'all' },
    { type: 'tryOn', pod: 'default/web', node: {} },
    { type: 'save', format: '../../.bashrc', content: '' },
    { type: 'save', format: 'svg', content: 1 },
  ])('does not count: %j', message => {
    expect(isFromPreview(message)).toBe(false);
  });
});
