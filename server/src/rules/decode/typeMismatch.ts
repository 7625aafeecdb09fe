import type { JsonValue } from '../../base/json';
import type { Fix } from '../framework/problem';
import { defineRule } from '../framework/rule';
import { decodingOf, type ExpectedType, fits } from './decode';
import { pluginArgsDecoded } from './pluginArgs';
import { quantitySpellings } from './quantitySpelling';
import { revisionMismatch } from './revisions';

interface Facts {
  readonly wanted: ExpectedType;
  readonly value: JsonValue;
  readonly path: string;
}

export default defineRule<Facts>({
  meta: {
    code: 'decode/type-mismatch',
    category: 'decode',
    severity: 'error',
    cost: 'typing',
    summary: 'A value has another type than its field.',
    why: 'The API server cannot decode the object and refuses it; nothing else of it is looked at.',
    remedy:
      'Write the value in the type that the field has. Text that looks like a number or a boolean needs quotes, a number must not have them.',
    details:
      'The server stops at the first such value, so it tells of one at a time. In YAML 1.1, which it reads, unquoted `y`, `n`, `yes`, `no`, `on` and `off` are booleans.',
    source: { project: 'kubernetes', symbol: 'sigs.k8s.io/json.UnmarshalStrict', fidelity: 'same' },
  },
  on: 'any',
  reads: ['objects', 'source', 'patch'],

  *check(target, context) {
    const { value, kind } = target;
    const { kube } = context;
    if (kind === undefined) return;
    const all = [
      ...decodingOf(target, context),
      ...revisionMismatch(value, kind),
      ...pluginArgsDecoded(value, kind, kube),
    ];
    for (const it of all) {
      if (it.what !== 'mismatch') continue;
      const facts = { wanted: it.wanted, value: it.value, path: it.at.toString() };
      yield { at: it.at, part: 'value', errorType: 'TypeMismatch', fieldPath: it.printed, facts };
    }
  },

  message: ({ facts }) =>
    `${facts.path === '' ? 'the object' : facts.path} must be ${wantedName(facts.wanted)}, not ${valueName(facts.value, facts.wanted)}`,

  fixes({ at, facts }, { object }, { snapshot }, edit) {
    const { value, wanted } = facts;
    const text = snapshot.files.get(object.manifest.uri)?.text ?? '';
    const span = object.manifest.spanOf(at, 'value');
    const written = text.slice(span.start, span.end);
    const fix = (title: string, newText: string): readonly Fix[] => [
      { title, safety: 'safe', edits: [edit.replaceValue(object, at, newText)] },
    ];
    const isPlainScalar = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint';
    if (wanted === 'string' && isPlainScalar && /^[\w.+:-]+$/.test(written)) {
      return fix('Put the value in quotes', JSON.stringify(written));
    }
    if (typeof value !== 'string') {
      return wanted === 'list' && isPlainScalar ? fix('Make it a list of one', `[${written}]`) : [];
    }
    if (wanted === 'bytes') {
      return fix('Encode it in base64', inBase64(value)).map(it => ({ ...it, safety: 'unsafe' }));
    }
    if (wanted === 'quantity') {
      const [first, ...others] = quantitySpellings(value, String(at.segments.at(-1)));
      const spell = (it: string, safety: Fix['safety']): readonly Fix[] =>
        fix(`Write ${it}`, it).map(made => ({ ...made, safety }));
      return first === undefined
        ? []
        : [...spell(first, others.length === 0 ? 'safe' : 'unsafe'), ...others.flatMap(it => spell(it, 'unsafe'))];
    }
    const isNumber = /^-?(0|[1-9]\d{0,19})$/.test(value) && fits(BigInt(value), wanted);
    const isBoolean = wanted === 'boolean' && /^(true|false)$/i.test(value);
    return isNumber || isBoolean ? fix('Take away the quotes', value.toLowerCase()) : [];
  },
});

function inBase64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

function wantedName(wanted: ExpectedType): string {
  const names: Readonly<Record<ExpectedType, string>> = {
    object: 'a mapping',
    map: 'a mapping',
    list: 'a list',
    string: 'text',
    integer: 'an integer',
    int32: 'a 32-bit integer',
    int64: 'a 64-bit integer',
    number: 'a number',
    boolean: 'true or false',
    quantity: 'a quantity such as 500m or 2Gi',
    intOrString: 'a 32-bit integer or text',
    time: 'a time such as 2026-01-31T08:00:00Z',
    microTime: 'a time with six digits of a second, such as 2026-01-31T08:00:00.000000Z',
    duration: 'a duration such as 1h30m',
    bytes: 'base64',
    any: 'anything',
  };
  return names[wanted];
}

function valueName(value: JsonValue, wanted: ExpectedType): string {
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return ['quantity', 'time', 'microTime', 'duration', 'bytes'].includes(wanted)
        ? JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
        : `text (${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)})`;
    case 'number':
    case 'bigint':
      return `the number ${value}`;
    case 'boolean':
      return `the boolean ${value}`;
    default:
      return 'a mapping';
  }
}
