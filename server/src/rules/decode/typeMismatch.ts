import type { JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import type { FieldPath } from '../../manifest/fieldPath';
import { defineRule, type RuleContext, type RuleTarget } from '../framework/rule';
import { isWhole } from '../reading/patches';
import type { ExpectedType } from './decode';
import { decodingOf } from './decoding';
import { pluginArgsDecoded } from './pluginArgs';
import { revisionMismatch } from './revisions';
import { fixesOfType } from './typeFixes';
import { valueName, wantedName } from './typeNames';

interface Facts {
  readonly wanted: ExpectedType;
  readonly value: JsonValue;
  readonly path: string;
  /** What is written, where YAML reads it as something that looks different: `y`, `1e3`, `0777`. */
  readonly written: string | undefined;
}

const META_FIELDS: readonly unknown[] = ['metadata', 'apiVersion', 'kind'];

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
    // The server decodes any custom resource and judges its types with the rest of its schema.
    const isOwnTyped = kind.structural !== undefined && isWhole(target, context);
    const all = [
      ...decodingOf(target, context),
      ...revisionMismatch(value, kind),
      ...pluginArgsDecoded(value, kind, kube),
    ];
    for (const it of all) {
      if (it.what !== 'mismatch' || (isOwnTyped && !META_FIELDS.includes(it.at.segments[0] ?? ''))) continue;
      const written = writtenOtherwise(target, it.at, it.value, context);
      const facts = { wanted: it.wanted, value: it.value, path: it.at.toString(), written };
      yield { at: it.at, part: 'value', errorType: 'TypeMismatch', fieldPath: it.printed, facts };
    }
  },

  message: ({ facts }) =>
    t`${facts.path === '' ? t('the object') : facts.path} must be ${wantedName(facts.wanted)}, not ${valueName(facts.value, facts.wanted)}${facts.written === undefined ? '' : t`, as which YAML reads ${facts.written}`}`,

  fixes: ({ at, facts }, { object }, { snapshot }, edit) =>
    fixesOfType({ ...facts, at, object, text: snapshot.files.get(object.manifest.uri)?.text ?? '', edit }),
});

/** The text of a number or boolean that is written otherwise than it is printed; undefined where it is merged in. */
function writtenOtherwise(
  { object: { manifest } }: RuleTarget,
  at: FieldPath,
  value: JsonValue,
  { snapshot }: RuleContext,
): string | undefined {
  if ((typeof value !== 'number' && typeof value !== 'boolean') || !manifest.has(at)) return undefined;
  const { start, end } = manifest.spanOf(at, 'value');
  const text = snapshot.files.get(manifest.uri)?.text.slice(start, end) ?? '';
  const isPlain = /^[\w.+-]{1,40}$/.test(text);
  return isPlain && text !== String(value) ? text : undefined;
}
