// What the verbs share: reading their options.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** The largest number that is read when an option gives no other. */
const MOST = 1_000_000_000;

/**
 * The options of the command line. Besides those of `parseArgs` there are numbers, `{ type: 'number', default: 10 }`: whole
 * ones from 0, unless `from`, `to` or `isDecimal` say otherwise. `--help` prints the comment that a script begins with, and an
 * option that is not there, or a number that cannot be read, one sentence; both end the process.
 * @param {string} script Path of the script.
 * @param {object} config As of `parseArgs`.
 */
export function readOptions(script, config) {
  const { parsed, refused } = tryOptions(config);
  if (refused !== undefined) stop(refused);
  if (!parsed.values.help) return { ...parsed, values: withNumbers(config.options, parsed.values) };
  console.log(leadingComment(readFileSync(script, 'utf8')));
  process.exit(0);
}

/**
 * The number that a text says; what is none, or out of range, ends the process with one sentence.
 * @param {string} name How the sentence calls it.
 * @param {string} text
 */
export function readNumber(name, text, { from = 0, to = MOST, isDecimal = false } = {}) {
  const value = (isDecimal ? /^\d+(?:\.\d+)?$/ : /^\d+$/).test(text) ? Number(text) : undefined;
  if (value !== undefined && value >= from && value <= to) return value;
  const [noun, most] = [isDecimal ? 'a number' : 'a whole number', to.toLocaleString('en')];
  return stop(`${name} ${JSON.stringify(text)} must be ${noun} from ${from} to ${most}.`);
}

function tryOptions(config) {
  const options = { help: { type: 'boolean', short: 'h' } };
  for (const [name, it] of Object.entries(config.options))
    options[name] = it.type === 'number' ? { type: 'string' } : it;
  try {
    return { parsed: parseArgs({ ...config, options }) };
  } catch (error) {
    const [sentence] = error.message.split(/\.(?: |$)/);
    return { refused: `${sentence}; --help says what there is.` };
  }
}

function withNumbers(options, values) {
  const read = Object.entries(options)
    .filter(([, it]) => it.type === 'number')
    .map(([name, it]) => [name, values[name] === undefined ? it.default : readNumber(`--${name}`, values[name], it)]);
  return { ...values, ...Object.fromEntries(read) };
}

function stop(sentence) {
  console.error(sentence);
  process.exit(2);
}

const leadingComment = text =>
  /^(?:\/\/.*\n)*/
    .exec(text)[0]
    .trimEnd()
    .replace(/^\/\/ ?/gm, '');
