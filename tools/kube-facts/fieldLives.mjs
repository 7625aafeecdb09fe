import { brotliDecompressSync } from 'node:zlib';

/**
 * What became of each field over the minors, made of their packs:
 * `fields`: definition.field → [first, last] minor that has it, '' for "before the oldest" and "still there"; a field
 * that every minor has, or of a definition that came or went as a whole, is left out. `gates`: definition.field → the
 * gates that ever removed it. `states`: gate → minor → its state.
 */
export function packFieldLives(packs) {
  const minors = packs.map(readPack);
  const gates = gatesOfFields(minors);
  const names = new Set(Object.values(gates).flat());
  return { minors: minors.map(it => it.minor), fields: spansOfFields(minors), gates, states: statesOf(minors, names) };
}

function readPack(bytes) {
  const [first, ...lines] = brotliDecompressSync(bytes).toString('utf8').split('\n');
  const definitions = new Map(
    lines.map(line => {
      const end = line.indexOf(' ');
      return [line.slice(0, end), Object.keys(JSON.parse(line.slice(end + 1)).fields ?? {})];
    }),
  );
  return { ...JSON.parse(first), definitions };
}

function spansOfFields(minors) {
  const spans = {};
  for (const definition of namesOf(minors.map(it => it.definitions.keys()))) {
    const having = minors.filter(it => it.definitions.has(definition));
    for (const field of namesOf(having.map(it => it.definitions.get(definition)))) {
      const owners = having.filter(it => it.definitions.get(definition).includes(field));
      if (owners.length === having.length) continue;
      const [first, last] = [owners[0], owners.at(-1)];
      spans[`${definition}.${field}`] = [
        first === having[0] ? '' : first.minor,
        last === having.at(-1) ? '' : last.minor,
      ];
    }
  }
  return spans;
}

/** Gates that remove more than the field itself, as in WHOLE_PART_GATES of server/src/kube/load.ts. */
const WHOLE_PARTS = { 'io.k8s.api.core.v1.Volume.image': ['ImageVolume'] };

/** Gates that remove a field in some cases only are left out, as in Kube.gatesOfField. */
function gatesOfFields(minors) {
  const out = { ...WHOLE_PARTS };
  for (const field of namesOf(minors.map(it => Object.keys(it.fieldGates)))) {
    const gates = namesOf(minors.map(it => unconditional(it.fieldGates[field])));
    if (gates.length > 0) out[field] = gates;
  }
  return out;
}

function unconditional(fieldGate) {
  if (fieldGate === undefined || fieldGate.keptInInitContainers !== undefined) return [];
  return fieldGate.gates.filter(it => fieldGate.requires?.[it] === undefined);
}

function statesOf(minors, names) {
  const out = {};
  for (const name of [...names].sort()) {
    const known = minors.filter(it => it.gates[name] !== undefined);
    out[name] = Object.fromEntries(known.map(it => [it.minor, stateOf(it.gates[name])]));
  }
  return out;
}

function stateOf({ stage, default: isOn, locked }) {
  return { stage, default: isOn, ...(locked && { locked }) };
}

const namesOf = lists => [...new Set(lists.flatMap(it => [...it]))].sort();
