// What the verbs share: reading their options.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/**
 * The options of the command line. `--help` prints the comment that a script begins with, and an option that is not there
 * one sentence; both end the process.
 * @template {import('node:util').ParseArgsConfig} T
 * @param {string} script Path of the script.
 * @param {T} config
 */
export function readOptions(script, config) {
  try {
    const parsed = parseArgs({ ...config, options: { ...config.options, help: { type: 'boolean', short: 'h' } } });
    if (!parsed.values.help) return parsed;
  } catch (error) {
    const [sentence] = error.message.split(/\.(?: |$)/);
    console.error(`${sentence}; --help says what there is.`);
    process.exit(2);
  }
  console.log(leadingComment(readFileSync(script, 'utf8')));
  process.exit(0);
}

const leadingComment = text =>
  /^(?:\/\/.*\n)*/
    .exec(text)[0]
    .trimEnd()
    .replace(/^\/\/ ?/gm, '');
