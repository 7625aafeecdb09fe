// pack.mjs FACTS_DIR : makes the packs of server/data/kubernetes from the facts that assemble.mjs wrote.
// pack.mjs --field-lives : makes the pack of the fields' lives again, of the packs of the minors that are there.
// pack.mjs --check   : says whether the packs are the ones that manifest.json lists and this generator would be asked for.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { addDefinition, addKind, compress, emptyCrds, packFields, packScalar, sha256 } from './crds.mjs';
import { packFieldLives } from './fieldLives.mjs';

const toolDir = fileURLToPath(new URL('.', import.meta.url));
const packDir = fileURLToPath(new URL('../../server/data/kubernetes/', import.meta.url));
const mostBytes = 2 * 1024 * 1024;
const schedulerConfig = 'io.k8s.kube-scheduler.config.v1.';
/** Made by tools/gen-policy-schemas.mjs, of other sources. */
const policyKinds = 'policy-kinds.json.br';
/** Made of the packs of the minors. */
const fieldLives = 'field-lives.json.br';

/** Definitions whose Go type has a JSON form of its own. */
const leafOfDefinition = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'quantity',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': 'intOrString',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': 'time',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': 'microTime',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Duration': 'duration',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': 'any',
  'io.k8s.apimachinery.pkg.runtime.RawExtension': 'any',
};

/**
 * Removals that hang on a value, which the filled objects of `drops` cannot show: an init container keeps this
 * restartPolicy whatever the gate (SidecarContainers came first).
 */
const keptInInitContainers = { 'io.k8s.api.core.v1.Container.restartPolicy': 'Always' };

const [argument] = process.argv.slice(2);
if (argument === undefined) fail('usage: node pack.mjs FACTS_DIR | --field-lives | --check');
else if (argument === '--check') check();
else if (argument === '--field-lives') writeFieldLives();
else pack(argument);

function pack(factsDir) {
  const read = name => JSON.parse(readFileSync(join(factsDir, name), 'utf8'));
  const minors = readdirSync(factsDir)
    .map(name => /^openapi-(\d+\.\d+)\.json\.gz$/.exec(name)?.[1])
    .filter(it => it !== undefined)
    .sort(byMinor);
  const openapi = new Map(
    minors.map(minor => [minor, JSON.parse(gunzipSync(readFileSync(join(factsDir, `openapi-${minor}.json.gz`))))]),
  );
  const gates = new Map(minors.map(minor => [minor, read(`gates-${minor}.json`).gates]));
  const packs = new Map();
  for (const minor of minors) {
    const doc = openapi.get(minor);
    packs.set(`${minor}.json.br`, {
      minor,
      kubernetes: doc.kubernetes,
      kinds: [...doc.kinds.map(packKind), ...schedulerKinds(doc)],
      definitions: packDefinitions(doc),
      gates: packGates(minor, gates),
      fieldGates: packFieldGates(read(`field-gates-${minor}.json`).fields),
    });
  }
  const crds = packCrds(join(factsDir, 'schemas'));
  packs.set('crds.json.br', { kinds: crds.kinds, definitions: crds.definitions, structural: crds.structural });
  packs.set('api-lives.json.br', packLives(read('api-versions.json').versions));
  packs.set('descriptions.json.br', packDescriptions(minors, openapi, crds.descriptions));

  const written = keptPacks();
  for (const [name, value] of packs) {
    written[name] = writePack(name, value.minor === undefined ? JSON.stringify(value) : linesOf(value));
  }
  written[fieldLives] = writeLivesOf(minors);
  const total = Object.values(written).reduce((sum, it) => sum + it.bytes, 0);
  if (total > mostBytes) fail(`the packs have ${total} bytes, more than ${mostBytes}`);
  writeManifest(Object.fromEntries(minors.map(minor => [minor, openapi.get(minor).kubernetes])), written);
  console.log(`${minors.length} minors, ${total} bytes`);
}

function writeFieldLives() {
  const { kubernetes, packs } = JSON.parse(readFileSync(join(packDir, 'manifest.json'), 'utf8'));
  writeManifest(kubernetes, { ...packs, [fieldLives]: writeLivesOf(Object.keys(kubernetes)) });
}

function writeLivesOf(minors) {
  const packs = minors.map(it => readFileSync(join(packDir, `${it}.json.br`)));
  return writePack(fieldLives, JSON.stringify(packFieldLives(packs)));
}

function writePack(name, text) {
  const bytes = compress(text);
  writeFileSync(join(packDir, name), bytes);
  console.log(`${name}: ${bytes.length} bytes`);
  return { sha256: sha256(bytes), bytes: bytes.length };
}

function writeManifest(kubernetes, packs) {
  const manifest = { kubernetes, packs, generator: generatorHashes() };
  writeFileSync(join(packDir, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** A line of JSON for all but the definitions, then a line for each of them, so that a reader parses those it needs. */
function linesOf({ definitions, ...rest }) {
  const lines = Object.entries(definitions).map(([name, it]) => `${name} ${JSON.stringify(it)}`);
  return [JSON.stringify(rest), ...lines].join('\n');
}

/** Takes every pack away but the one that is not made here. */
function keptPacks() {
  mkdirSync(packDir, { recursive: true });
  const known = existsSync(join(packDir, 'manifest.json'))
    ? JSON.parse(readFileSync(join(packDir, 'manifest.json'), 'utf8')).packs[policyKinds]
    : undefined;
  for (const name of readdirSync(packDir)) if (name !== policyKinds) rmSync(join(packDir, name));
  return known === undefined ? {} : { [policyKinds]: known };
}

function check() {
  const file = join(packDir, 'manifest.json');
  if (!existsSync(file)) fail('server/data/kubernetes/manifest.json is missing');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const problems = [];
  for (const [name, { sha256: wanted }] of Object.entries(manifest.packs)) {
    if (!existsSync(join(packDir, name))) problems.push(`${name} is missing`);
    else if (sha256(readFileSync(join(packDir, name))) !== wanted)
      problems.push(`${name} is not the pack that was made`);
  }
  for (const name of readdirSync(packDir)) {
    if (name !== 'manifest.json' && !(name in manifest.packs)) problems.push(`${name} is not listed in manifest.json`);
  }
  const now = generatorHashes();
  for (const name of new Set([...Object.keys(now), ...Object.keys(manifest.generator)])) {
    if (now[name] !== manifest.generator[name])
      problems.push(`tools/kube-facts/${name} has changed since the packs were made`);
  }
  const total = Object.values(manifest.packs).reduce((sum, it) => sum + it.bytes, 0);
  if (total > mostBytes) problems.push(`the packs have ${total} bytes, more than ${mostBytes}`);
  if (problems.length > 0) fail([...problems, 'run tools/kube-facts/pack.mjs again'].join('\n'));
  console.log(`packs are current: ${Object.keys(manifest.packs).length}, ${total} bytes`);
}

/** What decides about the packs: every program here, not the words of the README. */
function generatorHashes() {
  const files = readdirSync(toolDir, { recursive: true, withFileTypes: true })
    .filter(it => it.isFile() && !it.name.endsWith('.md'))
    .map(it => relative(toolDir, join(it.parentPath, it.name)).replaceAll('\\', '/'))
    .sort();
  return Object.fromEntries(files.map(name => [name, sha256(readFileSync(join(toolDir, name)))]));
}

function packKind(it) {
  return {
    group: it.group,
    version: it.version,
    kind: it.kind,
    resource: it.resource,
    namespaced: it.scope === 'Namespaced',
    served: it.enabledByDefault ? 'on' : 'off',
    definition: it.definition,
  };
}

/** kube-scheduler's configuration file and the arguments of its plugins: known by their kind, served by no API server. */
function schedulerKinds(doc) {
  return Object.keys(doc.definitions)
    .filter(name => name.startsWith(schedulerConfig) && /(KubeSchedulerConfiguration|Args)$/.test(name))
    .sort()
    .map(definition => ({
      group: 'kubescheduler.config.k8s.io',
      version: 'v1',
      kind: definition.slice(schedulerConfig.length),
      resource: '',
      namespaced: false,
      served: 'no',
      definition,
    }));
}

function reachable(doc) {
  const config = Object.keys(doc.definitions).filter(name => name.startsWith(schedulerConfig));
  const queue = [...doc.kinds.map(it => it.definition), ...config];
  const seen = new Set();
  while (queue.length > 0) {
    const name = queue.pop();
    if (seen.has(name)) continue;
    if (!doc.definitions[name]) continue;
    seen.add(name);
    for (const match of JSON.stringify(doc.definitions[name]).matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)) {
      queue.push(match[1]);
    }
  }
  return [...seen].sort();
}

/** A few types of component configuration are named but not generated; what is there cannot be checked. */
function packDefinitions(doc) {
  const names = reachable(doc);
  const known = new Set(names);
  const packed = Object.fromEntries(names.map(name => [name, packDefinition(name, doc.definitions[name])]));
  return JSON.parse(JSON.stringify(packed), (_, it) => {
    if (it?.ref === undefined || typeof it.ref !== 'string' || known.has(it.ref)) return it;
    console.log(`${doc.kubernetes}: no definition of ${it.ref}, packed as any`);
    return { type: 'any' };
  });
}

function packDefinition(name, schema) {
  const leaf = leafOfDefinition[name];
  if (leaf !== undefined) return { schema: { type: leaf } };
  if (schema.type !== 'object') return { schema: schema.type === undefined ? { type: 'any' } : packSchema(schema) };
  return { fields: packFields(schema, packSchema) };
}

function packSchema(schema) {
  if (schema.$ref !== undefined) return { ref: schema.$ref.slice('#/definitions/'.length) };
  if (schema.type === 'array') {
    const listType = schema['x-kubernetes-list-type'];
    const mapKeys = schema['x-kubernetes-list-map-keys'];
    return {
      type: 'list',
      items: packSchema(schema.items),
      ...(listType && { listType }),
      ...(mapKeys && { mapKeys }),
    };
  }
  if (schema.type === 'object') {
    return schema.additionalProperties
      ? { type: 'map', values: packSchema(schema.additionalProperties) }
      : { type: 'any' };
  }
  return packScalar(schema);
}

/**
 * The state of each gate in a minor: the newest of its specs that is not newer than the minor, and that holds when the
 * server may have peers one minor older, which is what a server assumes unless told otherwise.
 */
function packGates(minor, gatesOfMinors) {
  const out = {};
  for (const [name, gate] of Object.entries(gatesOfMinors.get(minor))) {
    const specs = [...gate.specs]
      .sort((a, b) => byMinor(a.version, b.version))
      .filter(it => byMinor(it.version, minor) <= 0 && byMinor(it.minCompatibility ?? '0.0', minor) < 0);
    const now = specs.at(-1);
    if (now === undefined) continue;
    const since = sinceStage(history(name, minor, gatesOfMinors) ?? specs, now, minor);
    const summary = gate.summary?.replace(/^(key: \S+\s*)+/, '').trim();
    out[name] = {
      default: now.default,
      stage: now.prerelease === '' ? 'GA' : now.prerelease,
      ...(now.lockToDefault && { locked: true }),
      ...(since && { since }),
      ...(gate.keps?.length > 0 && { keps: gate.keps }),
      ...(summary && { summary }),
      ...(gate.dependsOn?.length > 0 && { dependsOn: gate.dependsOn }),
    };
  }
  return out;
}

/** 1.31 prints gates without their history; the next minors have it. */
function history(name, minor, gatesOfMinors) {
  for (const [other, gates] of gatesOfMinors) {
    if (byMinor(other, minor) < 0) continue;
    const specs = gates[name]?.specs;
    if (specs?.every(it => it.version !== '0.0')) return [...specs].sort((a, b) => byMinor(a.version, b.version));
  }
  return undefined;
}

function sinceStage(specs, now, minor) {
  const known = specs.filter(it => it.version !== '0.0' && byMinor(it.version, minor) <= 0);
  const first = known.findLastIndex(it => it.prerelease !== now.prerelease) + 1;
  return known[first]?.prerelease === now.prerelease ? known[first].version : undefined;
}

/** Only fields that a run saw removed; a tag in the source alone proves nothing. */
function packFieldGates(fields) {
  const out = {};
  for (const [name, it] of Object.entries(fields)) {
    if (!it.evidence.includes('run') && !it.evidence.includes('create')) continue;
    const keptAs = keptInInitContainers[name];
    out[name] = {
      gates: it.gates,
      ...(it.requires && { requires: it.requires }),
      ...(it.anyOf && { anyOf: it.anyOf }),
      ...(it.whenOn && { whenOn: it.whenOn }),
      ...(keptAs && it.gates.includes('ContainerRestartRules') && { keptInInitContainers: keptAs }),
    };
  }
  return out;
}

/** Schemas of kinds that are no part of Kubernetes. */
function packCrds(dir) {
  const out = emptyCrds();
  for (const file of readdirSync(dir).sort()) {
    const doc = JSON.parse(readFileSync(join(dir, file), 'utf8'));
    if (file.startsWith('kubescheduler.config.k8s.io')) continue;
    if (doc.plugins === undefined) {
      addKind(out, doc);
      continue;
    }
    for (const [plugin, schema] of Object.entries(doc.plugins)) {
      addDefinition(out, `descheduler/v1alpha2.${plugin}Args`, schema, schema, `descheduler/v1alpha2.${plugin}Args`);
    }
  }
  return out;
}

function packLives(versions) {
  const out = {};
  for (const it of versions) {
    const { introduced, deprecated, removed, served } = it;
    const to = it.replacement;
    out[`${apiVersionOf(it)} ${it.kind}`] = {
      ...(introduced && { introduced }),
      ...(deprecated && { deprecated }),
      ...(removed && { removed }),
      ...(to && { replacement: `${apiVersionOf(to)} ${to.kind}` }),
      served,
    };
  }
  return out;
}

/** Each distinct set of descriptions once; a minor's list names the ones it has. */
function packDescriptions(minors, openapi, crds) {
  const texts = [];
  const index = new Map();
  const add = (name, descriptions) => {
    const key = `${name}\n${JSON.stringify(descriptions)}`;
    if (!index.has(key)) {
      index.set(key, texts.length);
      texts.push([name, descriptions]);
    }
    return index.get(key);
  };
  // Names first, so that the versions of one definition stand side by side and compress best.
  const rows = minors.flatMap(minor =>
    reachable(openapi.get(minor)).map(name => [name, minor, describe(openapi.get(minor).definitions[name])]),
  );
  const ofMinor = Object.fromEntries(minors.map(minor => [minor, []]));
  for (const [name, minor, descriptions] of rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
    ofMinor[minor].push(add(name, descriptions));
  }
  return { texts, minors: ofMinor, crds };
}

function describe(schema) {
  const fields = Object.entries(schema.properties ?? {}).map(([name, it]) => [name, it.description]);
  return Object.fromEntries([['', schema.description], ...fields].filter(([, text]) => text));
}

function apiVersionOf({ group, version }) {
  return group === '' ? version : `${group}/${version}`;
}

function byMinor(a, b) {
  const [aMajor, aMinor] = a.split('.').map(Number);
  const [bMajor, bMinor] = b.split('.').map(Number);
  return aMajor - bMajor || aMinor - bMinor;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
