import { describe, expect, it } from 'vitest';
import { amount, freeInWords, partOf, resourceLabel } from '../../client/src/webview/text/units';

const Mi = 2 ** 20;
const Gi = 2 ** 30;

describe('amounts in humane units', () => {
  it.each([
    ['cpu', 1500, '1.5 cores'],
    ['cpu', 1000, '1 core'],
    ['cpu', 250, '0.25 cores'],
    ['cpu', 10, '10 millicores'],
    ['cpu', 1, '1 millicore'],
    ['cpu', 0, '0 cores'],
    ['memory', 8 * Gi, '8 GiB'],
    ['memory', 128 * Mi, '128 MiB'],
    ['memory', 1, '1 byte'],
    ['memory', 0, '0 bytes'],
    ['ephemeral-storage', 93 * Gi, '93 GiB'],
    ['hugepages-2Mi', 4 * Mi, '4 MiB'],
    ['pods', 1, '1 Pod'],
    ['pods', 110, '110 Pods'],
    ['nvidia.com/gpu', 4, '4'],
  ])('%s %d is %s', (name, value, text) => expect(amount(name, value)).toBe(text));

  it('never promises room that is not there, and never asks for less than is asked', () => {
    expect(amount('memory', 8 * Gi - 1)).toBe('7.99 GiB');
    expect(amount('memory', 1500 * Mi, 'up')).toBe('1.47 GiB');
    expect(amount('memory', 150.5 * Gi)).toBe('150 GiB');
    expect(amount('memory', 150.5 * Gi, 'up')).toBe('151 GiB');
  });
});

describe('what is left', () => {
  it.each([
    ['cpu', 2500, 4000, '1.5 of 4 cores free'],
    ['cpu', 4000, 4000, '0 of 4 cores free'],
    ['cpu', 3995, 4000, '5 millicores of 4 cores free'],
    ['memory', 4.75 * Gi, 8 * Gi, '3.25 of 8 GiB free'],
    ['memory', 8 * Gi - 2 * Mi, 8 * Gi, '2 MiB of 8 GiB free'],
    ['pods', 12, 110, '98 of 110 Pods free'],
    ['nvidia.com/gpu', 1, 4, '3 of 4 free'],
    ['cpu', 4200, 4000, '0.2 cores too much'],
    ['nvidia.com/gpu', 1, 0, '1 too much'],
  ])('%s: %d used of %d is "%s"', (name, used, allocatable, text) => {
    expect(freeInWords(name, used, allocatable)).toBe(text);
  });

  it('says a part that is too small for the larger unit in its own unit', () => {
    expect(partOf('memory', 512, 8 * Gi)).toBe('512 bytes of 8 GiB');
  });

  it('calls an extended resource by the part after its domain', () => {
    expect([resourceLabel('cpu'), resourceLabel('nvidia.com/gpu')]).toEqual(['CPU', 'gpu']);
  });
});
