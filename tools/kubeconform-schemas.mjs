// Schemas of kinds for kubeconform, made of the facts that Berth comes with, so that a benchmark asks no network.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { root } from './run.mjs';

const SCALARS = {
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  intOrString: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
  time: { type: 'string', format: 'date-time' },
  microTime: { type: 'string', format: 'date-time' },
  duration: { type: 'string' },
  bytes: { type: 'string', format: 'byte' },
  any: {},
};

/**
 * Writes one self-contained schema, as kubernetes-json-schema's `standalone` ones are, and gives what kubeconform calls a
 * schema location.
 * @param {string} folder where it is written
 * @param {{ minor: string, group: string, version: string, kind: string }} wanted
 */
export function writeKubeconformSchema(folder, { minor, group, version, kind }) {
  const pack = readFileSync(join(root, `server/data/kubernetes/${minor}.json.br`));
  const [first, ...lines] = brotliDecompressSync(pack).toString('utf8').split('\n');
  const definitions = new Map(
    lines.map(line => [line.slice(0, line.indexOf(' ')), JSON.parse(line.slice(line.indexOf(' ') + 1))]),
  );
  const { kinds } = JSON.parse(first);
  const { definition } = kinds.find(it => it.group === group && it.version === version && it.kind === kind);
  const [shortGroup] = group.split('.');
  const name = [kind.toLowerCase(), ...(shortGroup === '' ? [] : [shortGroup]), version].join('-');
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(schemaOf({ ref: definition }, definitions)));
  return join(folder, '{{ .ResourceKind }}{{ .KindSuffix }}.json');
}

function schemaOf(packed, definitions) {
  if (packed.ref !== undefined) {
    const definition = definitions.get(packed.ref);
    if (definition === undefined) return {};
    return definition.schema ? schemaOf(definition.schema, definitions) : objectOf(definition.fields, definitions);
  }
  if (packed.type === 'list') return { type: ['array', 'null'], items: schemaOf(packed.items, definitions) };
  if (packed.type === 'map')
    return { type: ['object', 'null'], additionalProperties: schemaOf(packed.values, definitions) };
  if (SCALARS[packed.type]) return SCALARS[packed.type];
  const { type, format, enum: values } = packed;
  return { type: [type, 'null'], ...(format && { format }), ...(values && { enum: [...values, null] }) };
}

function objectOf(fields, definitions) {
  const entries = Object.entries(fields);
  const required = entries.filter(([, it]) => it.required).map(([name]) => name);
  return {
    type: ['object', 'null'],
    properties: Object.fromEntries(entries.map(([name, it]) => [name, schemaOf(it.schema, definitions)])),
    // Draft 4 has no empty list here.
    ...(required.length > 0 && { required }),
  };
}
