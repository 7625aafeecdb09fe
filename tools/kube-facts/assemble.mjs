// assemble.mjs RAW_DIR FACTS_DIR : joins what the Go programs printed into the fact files, and reports sizes.
// RAW_DIR holds raw-openapi-M.json, gates-M.json, sources-M.json, drops-M.json (M = 1.37, …), lifecycle.json and schemas/.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { compress } from './crds.mjs';

const [rawDir, factsDir] = process.argv.slice(2);
if (!factsDir) {
  console.error('usage: node assemble.mjs RAW_DIR FACTS_DIR');
  process.exit(2);
}
mkdirSync(factsDir, { recursive: true });
const read = name => JSON.parse(readFileSync(join(rawDir, name), 'utf8'));
const minors = readdirSync(rawDir)
  .map(f => /^raw-openapi-(.*)\.json$/.exec(f)?.[1])
  .filter(Boolean)
  .sort((a, b) => a.split('.')[1] - b.split('.')[1]);
const kib = bytes => Math.round(bytes / 1024);
const sorted = value =>
  Array.isArray(value)
    ? value.map(sorted)
    : value && typeof value === 'object'
      ? Object.fromEntries(
          Object.keys(value)
            .sort()
            .map(k => [k, sorted(value[k])]),
        )
      : value;

const openapi = {};
for (const minor of minors) openapi[minor] = assembleOpenapi(minor);
for (const minor of minors) assembleGates(minor);
for (const minor of minors) if (existsSync(join(rawDir, `drops-${minor}.json`))) assembleFields(minor);
assembleVersions();
cpSync(join(rawDir, 'schemas'), join(factsDir, 'schemas'), { recursive: true });
cpSync(new URL('schemas/handwritten', import.meta.url), join(factsDir, 'schemas'), { recursive: true });
writeSchedulerConfiguration();
reportPack('all definitions', doc => Object.keys(doc.definitions));
reportPack('reachable from served kinds and KubeSchedulerConfiguration', reachable, 'openapi-pack.json.br');
reportPack('the same without descriptions', reachable, undefined, withoutDescriptions);

function assembleOpenapi(minor) {
  const { kubernetes, kinds, groupVersionsOffByDefault } = read(`sources-${minor}.json`);
  const definitions = sorted(read(`raw-openapi-${minor}.json`));
  const missing = kinds.filter(k => !definitions[k.definition]);
  if (missing.length > 0) throw new Error(`${minor}: kinds without a definition: ${missing.map(k => k.kind)}`);
  const doc = { kubernetes, groupVersionsOffByDefault, kinds, definitions };
  const text = JSON.stringify(doc);
  const gz = gzipSync(text, { level: 9 });
  writeFileSync(join(factsDir, `openapi-${minor}.json.gz`), gz);
  const enums = text.match(/"enum":\[/g)?.length ?? 0;
  console.log(
    `openapi ${minor} (${kubernetes}): ${Object.keys(definitions).length} definitions, ${kinds.length} kinds, ${enums} enums; ` +
      `raw ${kib(text.length)} KiB, gzip ${kib(gz.length)} KiB, brotli ${kib(compress(text).length)} KiB`,
  );
  return doc;
}

/** Gates with their history and what the source says of them. */
function assembleGates(minor) {
  const specs = read(`gates-${minor}.json`);
  const { kubernetes, gates } = read(`sources-${minor}.json`);
  const out = {};
  for (const name of Object.keys(specs).sort()) out[name] = { specs: specs[name], ...gates[name] };
  writeFileSync(join(factsDir, `gates-${minor}.json`), `${JSON.stringify({ kubernetes, gates: out }, null, 1)}\n`);
  const keps = Object.values(out).filter(g => g.keps).length;
  console.log(`gates ${minor}: ${Object.keys(out).length}, ${keps} with a KEP`);
}

/**
 * Fields by definition: which gates they need.  Evidence: "run" (the registry strategy removed it when the gate was off),
 * "create" (so did the whole create path, separately), "tag" (+featureGate= in the Go source).
 */
function assembleFields(minor) {
  const doc = openapi[minor];
  const drops = read(`drops-${minor}.json`);
  const { markers } = read(`sources-${minor}.json`);
  const fields = {};
  const field = name => (fields[name] ??= { gates: [], tagged: [], evidence: [] });
  const definitionOf = new Map(doc.kinds.map(k => [`${k.group}/${k.version} ${k.kind}`, k.definition]));
  // Optional: paths that the whole create path of a separate program confirmed, as "group/version Kind path gate".
  const confirmed = new Set(existsSync(join(rawDir, `verified-${minor}.json`)) ? read(`verified-${minor}.json`) : []);
  let unresolved = 0;
  for (const d of drops.drops) {
    const root = definitionOf.get(`${d.group}/${d.version} ${d.kind}`);
    const name = root && resolve(doc.definitions, root, d.path);
    if (!name) {
      unresolved += 1;
      continue;
    }
    const f = field(name);
    f.gates = union(f.gates, d.gates);
    for (const key of ['anyOf', 'whenOn']) if (d[key]) f[key] = union(f[key] ?? [], d[key]);
    for (const [gate, paths] of Object.entries(d.requires ?? {})) {
      f.requires ??= {};
      f.requires[gate] = union(f.requires[gate] ?? [], paths);
    }
    const id = `${d.group}/${d.version} ${d.kind} ${d.path}`;
    f.evidence = union(f.evidence, d.gates.some(g => confirmed.has(`${id} ${g}`)) ? ['create', 'run'] : ['run']);
  }
  for (const [name, m] of Object.entries(markers)) {
    const [, type, key] = /^(.*)\.([^.]*)$/.exec(name);
    // Only fields of definitions as OpenAPI has them: inlined Go types and what only the server writes stay out.
    if (!m.featureGates || type.endsWith('Status') || !doc.definitions[type]?.properties?.[key]) continue;
    const f = field(name);
    f.tagged = union(f.tagged, m.featureGates);
    f.evidence = union(f.evidence, ['tag']);
  }
  const run = Object.values(fields).filter(f => f.evidence.includes('run')).length;
  const tagOnly = Object.values(fields).filter(f => !f.evidence.includes('run')).length;
  const out = {
    kubernetes: doc.kubernetes,
    fields: sorted(fields),
    errorsWhenOff: drops.errorsWhenOff,
    changesWhenOff: drops.changesWhenOff,
    alwaysRemoved: drops.always,
    lockedGates: drops.locked,
    validationNotRun: drops.unjudged ?? [],
  };
  writeFileSync(join(factsDir, `field-gates-${minor}.json`), `${JSON.stringify(out, null, 1)}\n`);
  writeFileSync(join(factsDir, `field-gates-by-path-${minor}.json.gz`), gzipSync(JSON.stringify(drops), { level: 9 }));
  const validation = Object.fromEntries(Object.entries(markers).filter(([, m]) => m.validation || m.mentionedGates));
  writeFileSync(join(factsDir, `field-markers-${minor}.json.gz`), gzipSync(JSON.stringify(validation), { level: 9 }));
  console.log(
    `fields ${minor}: ${drops.drops.length} paths dropped with a gate off, ${run} definition fields verified by a run, ` +
      `${tagOnly} more only tagged, ${unresolved} paths of kinds that are not served, ${drops.errorsWhenOff.length} errors, ` +
      `${Object.keys(drops.skipped).length} kinds skipped, ${Object.keys(validation).length} fields with markers`,
  );
}

function union(a, b) {
  return [...new Set([...a, ...b])].sort();
}

/** The definition and field that a path such as spec.volumes[*].emptyDir.mode ends at. */
function resolve(definitions, root, path) {
  let schema = definitions[root];
  let at = root;
  let name;
  for (const step of path.replaceAll('[*]', '.[*]').split('.')) {
    while (schema?.$ref || schema?.allOf?.[0]?.$ref) {
      at = (schema.$ref ?? schema.allOf[0].$ref).slice('#/definitions/'.length);
      schema = definitions[at];
    }
    if (step === '[*]') schema = schema?.items;
    else if (schema?.properties?.[step]) {
      name = `${at}.${step}`;
      schema = schema.properties[step];
    } else schema = schema?.additionalProperties;
    if (!schema) return undefined;
  }
  return path.endsWith('[*]') ? `${name}[*]` : name;
}

/** The life of each API version, with the minors that serve it according to their own discovery documents. */
function assembleVersions() {
  const byKey = new Map();
  for (const l of read('lifecycle.json')) byKey.set(`${l.group}/${l.version} ${l.kind}`, { ...l, served: {} });
  for (const minor of minors) {
    for (const k of openapi[minor].kinds) {
      const key = `${k.group}/${k.version} ${k.kind}`;
      if (!byKey.has(key)) byKey.set(key, { group: k.group, version: k.version, kind: k.kind, served: {} });
      byKey.get(key).served[minor] = k.enabledByDefault ? 'on' : 'off';
    }
  }
  const versions = [...byKey.values()].sort((a, b) =>
    `${a.group} ${a.kind} ${a.version}` < `${b.group} ${b.kind} ${b.version}` ? -1 : 1,
  );
  writeFileSync(join(factsDir, 'api-versions.json'), `${JSON.stringify({ minors, versions }, null, 1)}\n`);
  console.log(
    `api versions: ${versions.length}, ${versions.filter(v => Object.keys(v.served).length > 0).length} of them served in ${minors[0]}..${minors.at(-1)}`,
  );
}

function writeSchedulerConfiguration() {
  for (const minor of minors) {
    const root = 'io.k8s.kube-scheduler.config.v1.KubeSchedulerConfiguration';
    const all = openapi[minor].definitions;
    const names = closure(
      all,
      Object.keys(all).filter(n => n.startsWith('io.k8s.kube-scheduler.config.v1.')),
    );
    const out = {
      kubernetes: openapi[minor].kubernetes,
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      definition: root,
      definitions: Object.fromEntries(names.sort().map(n => [n, all[n]])),
    };
    writeFileSync(
      join(factsDir, `schemas/kubescheduler.config.k8s.io_v1_${minor}.json`),
      `${JSON.stringify(out, null, 1)}\n`,
    );
  }
}

function reachable(doc) {
  const config = Object.keys(doc.definitions).filter(n => n.startsWith('io.k8s.kube-scheduler.config.v1.'));
  return closure(doc.definitions, [...doc.kinds.map(k => k.definition), ...config]);
}

function closure(definitions, roots) {
  const seen = new Set();
  const queue = [...roots];
  while (queue.length > 0) {
    const name = queue.pop();
    if (seen.has(name) || !definitions[name]) continue;
    seen.add(name);
    for (const m of JSON.stringify(definitions[name]).matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)) queue.push(m[1]);
  }
  return [...seen];
}

function withoutDescriptions(value) {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (!value || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([k, v]) => !(k === 'description' && typeof v === 'string'))
      .map(([k, v]) => [k, withoutDescriptions(v)]),
  );
}

/** One document for all minors: each distinct definition once, and for each minor which one a name means. */
function reportPack(title, select, file, change = d => d) {
  const index = new Map();
  const definitions = [];
  const pack = { definitions, minors: {} };
  let total = 0;
  for (const minor of minors) {
    const names = {};
    for (const name of select(openapi[minor]).sort()) {
      const text = JSON.stringify(change(openapi[minor].definitions[name]));
      const hash = createHash('sha256').update(`${name}\n${text}`).digest('hex');
      if (!index.has(hash)) {
        index.set(hash, definitions.length);
        definitions.push({ name, schema: change(openapi[minor].definitions[name]) });
      }
      names[name] = index.get(hash);
      total += 1;
    }
    const { kubernetes, groupVersionsOffByDefault, kinds } = openapi[minor];
    pack.minors[minor] = { kubernetes, groupVersionsOffByDefault, kinds, definitions: Object.values(names) };
  }
  // Versions of one definition side by side compress best.
  const order = definitions
    .map((_, i) => i)
    .sort((a, b) =>
      definitions[a].name < definitions[b].name ? -1 : definitions[a].name > definitions[b].name ? 1 : a - b,
    );
  const place = new Map(order.map((old, now) => [old, now]));
  pack.definitions = order.map(i => definitions[i]);
  for (const m of Object.values(pack.minors))
    m.definitions = m.definitions.map(i => place.get(i)).sort((a, b) => a - b);
  const text = JSON.stringify(pack);
  const packed = compress(text);
  if (file) writeFileSync(join(factsDir, file), packed);
  console.log(
    `pack, ${title}: ${total} definitions, ${definitions.length} distinct; raw ${kib(text.length)} KiB, ` +
      `gzip ${kib(gzipSync(text, { level: 9 }).length)} KiB, brotli ${kib(packed.length)} KiB`,
  );
}
