// `npm run new:plugin fooBar`: a scheduler plugin with a Filter and a Score, its line in the table of plugins, and a scenario.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundled } from './bundled.mjs';
import { pluginFiles, upstreamName } from './scaffold/plugin.mjs';

const root = join(import.meta.dirname, '..');
const [name = ''] = process.argv.slice(2);
if (!/^[a-z][A-Za-z0-9]*$/.test(name)) {
  console.error('usage: npm run new:plugin fooBar (upstream’s name with a small first letter)');
  process.exit(2);
}
const upstream = upstreamName(name);
if (existsSync(join(root, 'server/src/scheduler/plugins', name))) {
  console.error(`${upstream} is there already: server/src/scheduler/plugins/${name}`);
  process.exit(2);
}

const { schedulerPlugins, newestMinor } = await bundled('server/src/kube/scheduler/plugins', 'server/src/kube/load');
const facts = schedulerPlugins(newestMinor).find(it => it.name === upstream);
const profiles = readFileSync(join(root, 'server/src/scheduler/configuration/profiles.ts'), 'utf8');
const files = pluginFiles(name, { isDefault: facts !== undefined, profiles });
for (const [path, text] of files) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const where =
  facts === undefined
    ? 'The default profile of kube-scheduler has no such plugin: the scenario enables it by a KubeSchedulerConfiguration.'
    : `The default profile of kube-scheduler has it${facts.gate ? ` where the gate ${facts.gate} is on` : ''}, so that every scenario asks it.`;
console.log(`Made or changed:
${[...files.keys()].map(it => `  ${it}`).join('\n')}

${where}

Next:
  1. Write the plugin as upstream’s is, in place of each TODO: the tests fail while one is left.
     \`shares\` (scheduler/framework/interface.ts) lets equal Pods share its answers, where it looks at one node alone.
  2. Write nodes and Pods into the scenario that show each of its answers.
  3. UPDATE=1 npx vitest run test/scheduler/scenarios.test.ts
     writes test/scheduler/scenarios/${name}.txt: read it
  4. npm test -- --only typecheck,lint,unit`);
