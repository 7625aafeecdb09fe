// The texts of a new scheduler plugin with a Filter and a Score, of its scenario, and of the table of plugins with it.

const PROFILES = 'server/src/scheduler/configuration/profiles.ts';

const NODES_AND_PODS = `apiVersion: v1
kind: Node
metadata: { name: n1, labels: { example: 'no' } }
status: { capacity: { cpu: '4', memory: 8Gi, pods: '110' } }
---
apiVersion: v1
kind: Node
metadata: { name: n2 }
status: { capacity: { cpu: '4', memory: 8Gi, pods: '110' } }
---
apiVersion: v1
kind: Node
metadata: { name: n3, labels: { example: 'yes' } }
status: { capacity: { cpu: '4', memory: 8Gi, pods: '110' } }
---
apiVersion: v1
kind: Pod
metadata: { name: p }
spec:
  containers:
    - { name: main, image: app:1, resources: { requests: { cpu: 500m, memory: 256Mi } } }
`;

/** Upstream's name of a plugin that is named as its folder is. */
export const upstreamName = name => name[0].toUpperCase() + name.slice(1);

/**
 * Path → text of the files that change with a new plugin.
 * @param {string} name the folder's: `fooBar`
 * @param {{ isDefault: boolean, profiles: string }} options whether upstream's default profile has the plugin, and the text of profiles.ts
 */
export function pluginFiles(name, { isDefault, profiles }) {
  return new Map([
    [`server/src/scheduler/plugins/${name}/plugin.ts`, pluginText(name, isDefault)],
    [`test/scheduler/scenarios/${name}.yaml`, isDefault ? NODES_AND_PODS : `${enabling(name)}---\n${NODES_AND_PODS}`],
    [PROFILES, withFactory(profiles, name)],
  ]);
}

/** A plugin of the default profile lies in kube-scheduler's tree; where another one comes from only its author knows. */
const originOf = (name, isDefault) =>
  isDefault
    ? `Upstream: pkg/scheduler/framework/plugins/${name.toLowerCase()}.`
    : "TODO: what it follows: a repository and path, or that it is Berth's own.";

function pluginText(name, isDefault) {
  return `import type { PluginFactory } from '../../framework/interface';
import { definePlugin } from '../../framework/plugin';
import { success, unschedulable } from '../../framework/status';

/** ${originOf(name, isDefault)} */
export const ${name}: PluginFactory = () =>
  definePlugin({
    name: '${upstreamName(name)}',

    // TODO: which nodes cannot take the Pod, with upstream's reason.
    filter: (_state, _pod, { node }) =>
      node.labels.example === 'no' ? unschedulable('TODO: the reason as upstream words it') : success,

    // TODO: how good a node is, from 0 to 100; \`normalizeScore\` brings other numbers there.
    score: (_state, _pod, { node }) => (node.labels.example === 'yes' ? 100 : 0),
  });
`;
}

/** A plugin that the default profile does not have runs where a configuration names it. */
const enabling = name => `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - schedulerName: default-scheduler
    plugins:
      multiPoint: { enabled: [{ name: ${upstreamName(name)}, weight: 1 }] }
`;

function withFactory(profiles, name) {
  const lines = profiles.split('\n');
  const own = `import { ${name} } from '../plugins/${name}/plugin';`;
  const imports = lines.flatMap((it, i) => (it.includes("from '../plugins/") ? [i] : []));
  const table = lines.findIndex(it => it.startsWith('const FACTORIES'));
  const end = lines.indexOf('};', table);
  if (imports.length === 0 || table < 0 || end < 0) throw new Error(`${PROFILES} has no FACTORIES any more`);
  // In the order of their paths, as the linter wants them.
  const after = imports.find(i => pathIn(lines[i]) > pathIn(own)) ?? imports.at(-1) + 1;
  return [
    ...lines.slice(0, after),
    own,
    ...lines.slice(after, end),
    `  ${upstreamName(name)}: ${name},`,
    ...lines.slice(end),
  ].join('\n');
}

const pathIn = line => /from '(.*)'/.exec(line)[1].toLowerCase();
