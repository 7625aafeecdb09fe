import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Files, run } from './world';

const examples = join(import.meta.dirname, '../../examples');
const textsIn = (folder: string): Files =>
  Object.fromEntries(
    readdirSync(join(examples, folder)).map(it => [
      `${folder}/${it}`,
      readFileSync(join(examples, folder, it), 'utf8'),
    ]),
  );

const all: Files = {
  ...textsIn('explore'),
  ...textsIn('arrival-orders/big-and-small'),
  ...textsIn('what-controllers-do/rollout'),
  'wrong.yaml': 'apiVersion: berth.dev/v1alpha1\nkind: System\nspec: { processes: 1 }\n',
};
const ARGUMENTS = ['explore', 'arrival-orders/big-and-small', 'nowhere.yaml', 'wrong.yaml'];

/** The files that N machines write, by name. */
async function shardsOf(count: number, args: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const written: Record<string, string> = {};
  for (let i = 0; i < count; i += 1) {
    written[`${i}.json`] = (await run(['explore', '--format', 'json', '--shard', `${i}/${count}`, ...args], all)).out;
  }
  return written;
}

const merge = (files: Files, ...more: readonly string[]) =>
  run(['explore', '--merge', ...more, ...Object.keys(files)], files);

const lines = (text: string): readonly string[] => text.split('\n').filter(it => it !== '');

describe('berth explore --shard and --merge', () => {
  it.each([
    ['examples with findings', 3, ARGUMENTS.slice(0, 2), 1],
    ['examples and what cannot be explored', 2, ARGUMENTS, 2],
    ['a rollout that never ends, though all Pods have nodes', 2, ['what-controllers-do/rollout'], 1],
    ['one that has no finding, on more machines than there is work', 4, ['explore/mutex.yaml'], 0],
  ])('join to what one run prints: %s', async (_, machines, args, code) => {
    const whole = await run(['explore', '--format', 'json', ...args], all);
    const shards = await shardsOf(machines, args);
    const merged = await merge(shards);
    expect([merged.out, merged.err, merged.code]).toEqual([whole.out, whole.err, code]);
    expect(whole.code).toBe(code);
    const backwards = Object.values(shards).toReversed().join('');
    expect((await run(['explore', '--merge', '-'], {}, backwards)).out).toBe(whole.out);
  });

  it('deals the explorations out in turn, and numbers them from 0', async () => {
    const shards = await shardsOf(3, ARGUMENTS);
    const numbers = Object.values(shards).map(text => lines(text).map(it => JSON.parse(it).shard));
    const of = numbers.flat().length;
    expect(of).toBe(readdirSync(join(examples, 'explore')).length + 3);
    const dealt = [0, 1, 2].map(i => [...Array(of).keys()].filter(it => it % 3 === i).map(number => ({ number, of })));
    expect(numbers).toEqual(dealt);
  });

  it('explores its part in text, too', async () => {
    const { out } = await run(['explore', '--shard', '1/2', 'explore/mutex.yaml', 'explore/lost-update.yaml'], all);
    expect([out.includes('lost-update.yaml'), out.includes('mutex.yaml')]).toEqual([true, false]);
  });

  it.each<[string, Files, RegExp]>([
    ['a gap', { a: line(0, 3), b: line(2, 3) }, /Exploration 1, counted from 0, of 3 is missing\./],
    ['no end', { a: line(0, 4) + line(1, 4) }, /Exploration 2, counted from 0, of 4 and 1 more are missing\./],
    ['a line twice', { a: line(0, 2), b: `\n${line(0, 2)}` }, /Exploration 0 is there twice: a:1 and b:2\./],
    ['other totals', { a: line(0, 2), b: line(1, 3) }, /a:1 is of 2 explorations and b:1 is of 3/],
    ['a line without a shard', { a: '{"contract":1}\n' }, /a:1 is no line that `berth explore --shard/],
    ['a number beyond the total', { a: line(2, 2) }, /a:1 is no line that/],
    ['no JSON', { a: `${line(0, 1)}{` }, /a:2 is no line that/],
    ['nothing', { a: '\n' }, /The files to merge hold no exploration\./],
  ])('refuses to merge %s', async (_, files, sentence) => {
    const { code, out, err } = await merge(files);
    expect([code, lines(err).length]).toEqual([2, 1]);
    expect(err).toMatch(sentence);
    expect(err).toBe(`berth: ${JSON.parse(out).error}\n`);
  });

  it.each([
    [['--shard', '2/2', 'explore'], /--shard "2\/2" must look like I\/N with I from 0 to N - 1\./],
    [['--shard=-1/2', 'explore'], /--shard "-1\/2" must look like/],
    [['--shard', '0/0', 'explore'], /--shard "0\/0" must look like/],
    [['--shard', 'x', 'explore'], /--shard "x" must look like/],
    [['--shard', '', 'explore'], /--shard "" must look like/],
    [['--merge', '--shard', '0/2', 'a.json'], /--merge and --shard exclude each other\./],
    [['--merge', '--format', 'junit', 'a.json'], /--merge prints lines of JSON, and --format junit is none\./],
    [['--merge', 'nowhere.json'], /nowhere\.json: There is no such file/],
    [['--merge'], /missing required argument/i],
  ])('refuses %j', async (args, sentence) => {
    const { code, err } = await run(['explore', ...args], all);
    expect([code, lines(err).length]).toEqual([2, 1]);
    expect(err).toMatch(sentence);
  });
});

it('the manifests of examples/explore-shards have no problem', async () => {
  const { code, out } = await run(['check', '--format', 'json', 'explore-shards'], textsIn('explore-shards'));
  expect([code, JSON.parse(out).problems, JSON.parse(out).summary.files]).toEqual([0, [], 2]);
});

function line(number: number, of: number): string {
  return `${JSON.stringify({ contract: 1, system: 'a', shard: { number, of } })}\n`;
}
