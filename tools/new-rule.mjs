// `npm run new:rule references/missing-thing`: a rule file and its fixture, and the registry and page that go with them.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CATEGORIES = {
  apiserver: 'apiserver',
  decode: 'decode',
  dropped: 'dropped',
  placement: 'placement',
  practice: 'policy',
  references: 'reference',
  security: 'policy',
  warning: 'warning',
};

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const code = process.argv[2] ?? '';
const [, room, name] = /^([a-z]+)\/([a-z][a-z0-9-]*)$/.exec(code) ?? [];
const category = CATEGORIES[room];

if (category === undefined) {
  console.error(`usage: npm run new:rule ROOM/NAME, with a room of ${Object.keys(CATEGORIES).join(', ')}`);
  process.exit(2);
}

const file = name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
const rule = join(root, 'server/src/rules', room, `${file}.ts`);
const fixture = join(root, 'test/fixtures/rules', room, `${name}.yaml`);
if (existsSync(rule)) {
  console.error(`${rule} exists already`);
  process.exit(2);
}

await mkdir(dirname(rule), { recursive: true });
await mkdir(dirname(fixture), { recursive: true });
await writeFile(
  rule,
  `import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';

interface Facts {
  readonly name: string;
}

export default defineRule<Facts>({
  meta: {
    code: '${code}',
    category: '${category}',
    severity: 'warning',
    cost: '${room === 'references' ? 'workspace' : 'typing'}',
    summary: 'One sentence: what is the case.',
    why: 'What happens if it stays.',
    remedy: 'What to do about it.',
  },
  on: ['Pod'],

  *check({ object }) {
    if (object.name !== 'example') return;
    yield { at: FieldPath.of('metadata', 'name'), part: 'value', facts: { name: object.name } };
  },

  message: ({ facts }) => \`say what is wrong with \${facts.name}\`,
});
`,
);
await writeFile(
  fixture,
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: example\nspec:\n  containers:\n    - name: web\n      image: nginx\n',
);
execFileSync(process.execPath, [join(root, 'tools/gen-rules.mjs')], { stdio: 'inherit' });
console.log(`${rule}\n${fixture}\nThen: UPDATE=1 npx vitest run test/rules, and read what changed.`);
