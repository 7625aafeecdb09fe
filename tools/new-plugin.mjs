// Starts a scheduler plugin: its folder, a scenario with a verdict table to fill, and the one line for the profile.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [name] = process.argv.slice(2);
if (!name || !/^[a-z][A-Za-z0-9]*$/.test(name)) {
  console.error('usage: npm run new:plugin fooBar (upstream name with a small first letter)');
  process.exit(2);
}
const upstream = name[0].toUpperCase() + name.slice(1);
const root = join(import.meta.dirname, '..');
const folder = join(root, 'server/src/scheduler/plugins', name);
if (existsSync(folder)) {
  console.error(`${upstream} is there already: server/src/scheduler/plugins/${name}`);
  process.exit(1);
}

const plugin = `import { definePlugin, success } from '../../framework/plugin';
import type { PluginFactory } from '../../framework/profile';

/** Upstream: pkg/scheduler/framework/plugins/${name.toLowerCase()}. */
export const ${name}: PluginFactory = () =>
  definePlugin({
    name: '${upstream}',
    filter: () => success,
  });
`;
const scenario = `apiVersion: v1
kind: Node
metadata: { name: n1 }
status: { capacity: { cpu: '4', memory: 8Gi, pods: '110' } }
---
apiVersion: v1
kind: Pod
metadata: { name: p }
spec:
  containers:
    - { name: main, image: app:1, resources: { requests: { cpu: 500m, memory: 256Mi } } }
`;
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'plugin.ts'), plugin);
writeFileSync(join(root, 'test/scheduler/scenarios', `${name}.yaml`), scenario);
console.log(`Made server/src/scheduler/plugins/${name}/plugin.ts and test/scheduler/scenarios/${name}.yaml.
Add to server/src/scheduler/configuration/profiles.ts the import, and to DEFAULT_PLUGINS, in upstream's order, one line:
  import { ${name} } from './plugins/${name}/plugin';
  { name: '${upstream}', make: ${name} },
Then write the verdict table with UPDATE=1 npx vitest run test/scheduler, and read it.`);
