// `npm run new:rule references/missing-thing …`: for each code a rule file and a fixture, and the registry and the pages
// that are made of the rules.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { program } from './run.mjs';
import { parsedCode, ROOMS, ruleFiles } from './scaffold/rule.mjs';

const root = join(import.meta.dirname, '..');
const codes = process.argv.slice(2);

if (codes.length === 0 || codes.some(it => parsedCode(it) === undefined)) {
  console.error(`usage: npm run new:rule ROOM/NAME, with a room of ${Object.keys(ROOMS).join(', ')}`);
  process.exit(2);
}
const files = codes.flatMap(it => [...ruleFiles(it)]);
const existing = files.map(([path]) => path).filter(it => existsSync(join(root, it)));
if (existing.length > 0) {
  console.error(`there already: ${existing.join(', ')}`);
  process.exit(2);
}

for (const [path, text] of files) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const run = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
run(program.biome, 'format', '--write', ...files.map(([path]) => path).filter(it => it.endsWith('.ts')));
run('tools/gen-rules.mjs');

const hints = new Set(codes.flatMap(it => ROOMS[parsedCode(it).room].hint ?? []));
console.log(`Made:
${files.map(([path]) => `  ${path}`).join('\n')}
  server/src/rules/engine/registry.ts and docs/rules: generated

Next:
  1. Write the check, and what each TODO asks for: the tests fail while one is left.
  2. Write texts into the fixture that the rule finds something in, and texts that it must not find anything in.
  3. npm run gen
     writes the registry and the pages of docs/rules again
  4. UPDATE=1 npx vitest run test/rules/rules.test.ts
     writes what is found under the lines of the fixture: read it
  5. npm test -- --only typecheck,lint,unit
${[...hints].map(it => `\n${it}`).join('')}`);
