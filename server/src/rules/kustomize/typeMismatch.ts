import type { JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import { decode, type ExpectedType } from '../decode/decode';
import { defineRule } from '../framework/rule';
import { KUSTOMIZATION } from './types';

interface Facts {
  readonly path: string;
  readonly wanted: ExpectedType;
  readonly value: JsonValue;
  /** As written: 1.10 must not become 1.1 when it is quoted. */
  readonly written: string;
}

export default defineRule<Facts>({
  meta: {
    code: 'kustomize/type-mismatch',
    category: 'decode',
    severity: 'error',
    cost: 'typing',
    summary: 'A field of a kustomization has a value of another type.',
    why: 'kustomize cannot read the file: it builds nothing.',
    remedy: 'Write the value in the type of the field. A tag or a label that looks like a number needs quotes.',
    source: { project: 'kustomize', symbol: 'types.Kustomization.Unmarshal', fidelity: 'same' },
    url: 'https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/',
  },
  on: 'any',
  reads: ['kustomization'],

  *check({ value, object: { manifest } }, { snapshot }) {
    const text = snapshot.files.get(manifest.uri)?.text ?? '';
    for (const it of decode(value, KUSTOMIZATION)) {
      if (it.what !== 'mismatch') continue;
      const { start, end } = manifest.spanOf(it.at, 'value');
      const facts = { path: it.at.toString(), wanted: it.wanted, value: it.value, written: text.slice(start, end) };
      yield { at: it.at, part: 'value', errorType: 'TypeMismatch', facts };
    }
  },

  message: ({ facts }) => t`${facts.path} must be ${WORDS[facts.wanted] ?? facts.wanted}, not ${shown(facts)}`,

  fixes: ({ at, facts: { wanted, value, written } }, { object }, _context, edit) => {
    if (wanted !== 'string' || typeof value === 'object') return [];
    return [{ title: t('Put it in quotes'), safety: 'safe', edits: [edit.replaceValue(object, at, `"${written}"`)] }];
  },
});

const WORDS: Partial<Record<ExpectedType, string>> = {
  string: 'text',
  boolean: 'true or false',
  int64: 'a whole number',
  list: 'a list',
  map: 'a mapping',
  object: 'a mapping',
};

function shown({ value, written }: Facts): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  return typeof value === 'string' ? `the text ${written}` : `the ${typeof value} ${written}`;
}
