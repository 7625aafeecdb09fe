// gen-policy-schemas.mjs : makes server/data/kubernetes/policy-kinds.json.br, the schemas of the policy engines' own kinds.
// They are the CustomResourceDefinitions inside the engines' Go modules, which `go mod download` fetches.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { addKind, compress, emptyCrds, sha256 } from './kube-facts/crds.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const packDir = join(root, 'server/data/kubernetes');
const packName = 'policy-kinds.json.br';

/** Where each engine keeps its definitions; without a version it is the one that the policy engine is built of. */
const sources = [
  { module: 'github.com/open-policy-agent/gatekeeper/v3', folder: 'charts/gatekeeper/crds' },
  // Kyverno's policies are evaluated by Berth itself, so that nothing else names its version.
  { module: 'github.com/kyverno/kyverno', version: 'v1.19.1', folder: 'config/crds/kyverno' },
  { module: 'github.com/kyverno/kyverno', version: 'v1.19.1', folder: 'config/crds/policies.kyverno.io' },
];

const packed = emptyCrds();
const modules = {};
for (const { module, version = versionInEngine(module), folder } of sources) {
  modules[module] = version;
  const crds = join(folderOf(module, version), folder);
  for (const file of readdirSync(crds).sort()) {
    for (const doc of parseAllDocuments(readFileSync(join(crds, file), 'utf8')).map(it => it.toJS())) {
      if (doc?.kind === 'CustomResourceDefinition') for (const it of versionsOf(doc)) addKind(packed, it);
    }
  }
}
// Of Kyverno the facts alone are taken: names, types, what is required. Its documentation stays with it.
for (const name of Object.keys(packed.descriptions)) if (name.includes('kyverno.io/')) delete packed.descriptions[name];
packed.kinds.sort((a, b) => (a.definition < b.definition ? -1 : 1));

const bytes = compress(JSON.stringify(packed));
writeFileSync(join(packDir, packName), bytes);
const manifestFile = join(packDir, 'manifest.json');
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
manifest.packs[packName] = { sha256: sha256(bytes), bytes: bytes.length, modules };
writeFileSync(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`);
console.log(`${packName}: ${packed.kinds.length} kinds, ${bytes.length} bytes`);

function versionInEngine(module) {
  const required = readFileSync(join(root, 'server/policyEngine/go.mod'), 'utf8').split('\n');
  const line = required.map(it => it.trim().split(/\s+/)).find(it => it.includes(module));
  if (line === undefined) throw new Error(`server/policyEngine/go.mod does not require ${module}`);
  return line[line.indexOf(module) + 1];
}

function folderOf(module, version) {
  const told = JSON.parse(
    execFileSync('go', ['mod', 'download', '-json', `${module}@${version}`], { encoding: 'utf8' }),
  );
  if (told.Error) throw new Error(told.Error);
  return told.Dir;
}

/** What is written of a policy: an engine's notes about its own state are nobody's manifests. */
function versionsOf({ spec }) {
  if (/PodStatus$|^UpdateRequest$/.test(spec.names.kind)) return [];
  return spec.versions.map(({ name, served, schema }) => ({
    apiVersion: `${spec.group}/${name}`,
    kind: spec.names.kind,
    resource: spec.names.plural,
    scope: spec.scope,
    served,
    schema: withoutStatus(schema.openAPIV3Schema),
  }));
}

/** What an engine writes into a policy itself is large, and nobody's to write. */
function withoutStatus(schema) {
  const { status, ...properties } = schema.properties ?? {};
  return status === undefined ? schema : { ...schema, properties: { ...properties, status: { type: 'object' } } };
}
