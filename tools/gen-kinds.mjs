// The text of docs/kinds.md: which kinds the API servers of the supported minors serve, and what Berth checks of each.
// tools/gen-rules.mjs writes it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const HEAD = `# Kinds

Generated from the facts of the minors and from the strategies of the API server; \`npm run gen\` writes it.

What Berth checks of an object depends on its kind:

- **as the server**: everything the API server checks when the object is created, with its defaults, dropped fields and
  warnings.
- **schema and metadata**: unknown and missing fields, types, and the rules of \`metadata\`.
- **schema**: unknown and missing fields, and types. These are reviews, bindings and the like, which a server answers
  and does not store.

Objects of a CustomResourceDefinition are checked as the server does, once the definition is in the workspace, in its
[cluster](cluster-sources.md) or one of those that Berth knows.

A version without minors is served by all of them. "off" means that a server serves it only when told so.
`;

/** The whole page, made of what the sources export. */
export function kindsPage({ loadKube, supportedMinors, allStrategies, metadataStrategies }) {
  const kinds = new Map();
  for (const minor of supportedMinors) {
    const kube = loadKube(minor, {}, name => readFileSync(join(root, 'server/data/kubernetes', name)));
    for (const it of kube.kinds()) {
      if (it.origin !== 'built-in' || it.served === 'no') continue;
      const key = `${it.group}/${it.kind}`;
      const versions = kinds.get(key) ?? new Map();
      versions.set(it.version, [...(versions.get(it.version) ?? []), { minor, served: it.served }]);
      kinds.set(key, versions);
    }
  }
  const strategies = allStrategies();
  const level = key => {
    if (!Object.hasOwn(strategies, key)) return 'schema';
    return strategies[key] === metadataStrategies[key] ? 'schema and metadata' : 'as the server';
  };
  const groupOf = key => key.slice(0, key.indexOf('/'));
  const keysOf = group => [...kinds.keys()].filter(it => groupOf(it) === group).sort();
  const groups = [...new Set([...kinds.keys()].map(groupOf))].sort();
  const sections = groups.map(group => [
    `## ${group === '' ? 'core' : group}`,
    '',
    '| kind | versions | checked |',
    '|---|---|---|',
    ...keysOf(group).map(key => {
      const versions = [...kinds.get(key)].map(([version, minors]) => versionText(version, minors, supportedMinors));
      return `| ${key.slice(key.indexOf('/') + 1)} | ${versions.join('; ')} | ${level(key)} |`;
    }),
    '',
  ]);
  return [HEAD, ...sections.flat()].join('\n');
}

/** A version and the minors that serve it: "v1", "v1beta1 until 1.33, off", "v1 since 1.34". */
function versionText(version, minors, all) {
  const first = minors[0].minor;
  const last = minors.at(-1).minor;
  const since = first === all[0] ? '' : ` since ${first}`;
  const until = last === all.at(-1) ? '' : ` until ${last}`;
  const on = minors.filter(it => it.served === 'on').map(it => it.minor);
  if (on.length === minors.length) return `${version}${since}${until}`;
  if (on.length === 0) return `${version}${since}${until}, off`;
  const turned = on[0] === first ? `off since ${minors.find(it => it.served === 'off').minor}` : `on since ${on[0]}`;
  return `${version}${since}${until}, ${turned}`;
}
