// `npm run new:known-issue some-name …`: for each name an entry and a fixture of a known issue, and the data and the pages
// that are made of them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isIssueName, issueFiles } from './scaffold/knownIssue.mjs';

const root = join(import.meta.dirname, '..');
const names = process.argv.slice(2);

if (names.length === 0 || !names.every(isIssueName)) {
  console.error('usage: npm run new:known-issue NAME, of lower-case letters, digits and "-"');
  process.exit(2);
}
const files = names.flatMap(it => [...issueFiles(it)]);
const existing = files.map(([path]) => path).filter(it => existsSync(join(root, it)));
if (existing.length > 0) {
  console.error(`there already: ${existing.join(', ')}`);
  process.exit(2);
}

for (const [path, text] of files) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
execFileSync(process.execPath, ['tools/gen-rules.mjs'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });

console.log(`Made:
${files.map(([path]) => `  ${path}`).join('\n')}
  server/src/rules/knownIssues/checks.json and texts.json, docs/known-issues.md and docs/rules: generated

Next:
  1. Write into the entry what each TODO asks for: the tests fail while one is left. knownIssue.ts beside the entries
     says what each field means; CEL that is false, absent or without a value does not meet the issue.
  2. Write objects into the fixture that meet the issue, and objects that nearly do.
  3. npm run gen
     writes the data and the pages again
  4. UPDATE=1 npx vitest run test/rules/rules.test.ts -t known-issue
     writes what is found under the lines of the fixture: read it
  5. npx vitest run test/rules/knownIssues.test.ts`);
