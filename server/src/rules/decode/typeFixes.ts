import type { JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import type { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../../workspace/object';
import type { Fix } from '../framework/problem';
import type { EditTools } from '../framework/rule';
import { type ExpectedType, fits } from './decode';
import { quantitySpellings } from './quantitySpelling';

/** A value of another type than its field's, in the text of its file. */
export interface Mistyped {
  readonly at: FieldPath;
  readonly wanted: ExpectedType;
  readonly value: JsonValue;
  readonly object: WorkspaceObject;
  readonly text: string;
  readonly edit: EditTools;
}

/** Writes the value in the type of its field, where that is clear. */
export function fixesOfType({ at, wanted, value, object, text, edit }: Mistyped): readonly Fix[] {
  const span = object.manifest.spanOf(at, 'value');
  const written = text.slice(span.start, span.end);
  const fix = (title: string, newText: string): readonly Fix[] => [
    { title, safety: 'safe', edits: [edit.replaceValue(object, at, newText)] },
  ];
  const isPlainScalar = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint';
  if (wanted === 'string' && isPlainScalar && /^[\w.+:-]+$/.test(written)) {
    return fix(t('Put the value in quotes'), JSON.stringify(written));
  }
  if (typeof value !== 'string') {
    return wanted === 'list' && isPlainScalar ? fix(t('Make it a list of one'), `[${written}]`) : [];
  }
  if (wanted === 'bytes') {
    return fix(t('Encode it in base64'), inBase64(value)).map(it => ({ ...it, safety: 'unsafe' }));
  }
  if (wanted === 'quantity') {
    const [first, ...others] = quantitySpellings(value, String(at.segments.at(-1)));
    const spell = (it: string, safety: Fix['safety']): readonly Fix[] =>
      fix(t`Write ${it}`, it).map(made => ({ ...made, safety }));
    return first === undefined
      ? []
      : [...spell(first, others.length === 0 ? 'safe' : 'unsafe'), ...others.flatMap(it => spell(it, 'unsafe'))];
  }
  const isNumber = /^-?(0|[1-9]\d{0,19})$/.test(value) && fits(BigInt(value), wanted);
  const isBoolean = wanted === 'boolean' && /^(true|false)$/i.test(value);
  return isNumber || isBoolean ? fix(t('Take away the quotes'), value.toLowerCase()) : [];
}

function inBase64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
