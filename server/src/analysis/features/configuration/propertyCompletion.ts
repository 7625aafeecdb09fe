import { asList, asText } from '../../../base/json';
import type { Kube, ObjectSchema, Schema } from '../../../kube/kube';
import { FieldPath } from '../../../manifest/fieldPath';
import type { ManifestFile } from '../../../manifest/manifest';
import { fieldAt, valueAt } from '../../../manifest/valueAt';
import { type Completion, type CompletionItem, literally } from '../completion/item';

type Kinds = Pick<Kube, 'kinds' | 'kindOf' | 'description'>;

/** The possible schemas of a CEL variable, one for each kind that a rule selects. */
type Names = Readonly<Record<string, readonly Schema[]>>;

/** So many characters before an offset say which fields may stand there; a longer text could be divided in many ways. */
const NEAR = 5_000;

/**
 * Completion of fields in the CEL of a rule of `berth.yaml`: of `object`, `pod` and macro variables; undefined
 * elsewhere.
 */
export function propertyCompletion(file: ManifestFile, offset: number, kube: Kinds): Completion | undefined {
  const object = file.documents[0]?.objects[0];
  const at = object?.pathAt(offset);
  const field = at?.path.segments.at(-1);
  if (object === undefined || at === undefined || !(field === 'expression' || field === 'messageExpression')) return;
  const rule = valueAt(object.value, FieldPath.of(...at.path.segments.slice(0, -1)));
  const before = file.text.slice(Math.max(object.spanOf(at.path, 'value').start, offset - NEAR), offset);
  const [, root = '', path = '', word = ''] = /(?<![\w.])(\w+)((?:\.\w+|\[\d+\])*)\.(\w*)$/.exec(before) ?? [];
  const kinds = asList(fieldAt(rule, 'select', 'kinds')).flatMap(it => asText(it) ?? []);
  const holders = walked(namesIn(before, rootsFor(kinds, kube))[root] ?? [], path).filter(it => it.type === 'object');
  const span = { start: offset - word.length, end: offset };
  const items = holders.flatMap(it => itemsOf(it, kube)).map(it => ({ ...it, span }));
  const different = new Map(items.map(it => [it.label, it]));
  return different.size === 0 ? undefined : { items: [...different.values()], isIncomplete: false };
}

/** `object` has the fields of the selected kinds; without any, the fields of all kinds. */
function rootsFor(kinds: readonly string[], kube: Kinds): Names {
  const chosen = kube.kinds().filter(({ group, version, kind, served }) => {
    const spellings = [kind, `${group}/${kind}`, `${group === '' ? '' : `${group}/`}${version}/${kind}`];
    return served === 'on' && spellings.some(it => kinds.includes(it));
  });
  const anyKind = kube.kindOf('v1', 'ConfigMap')?.schema;
  const common = ['apiVersion', 'kind', 'metadata'];
  const ofAny: readonly Schema[] =
    anyKind === undefined
      ? []
      : [{ ...anyKind, fields: new Map([...anyKind.fields].filter(([it]) => common.includes(it))) }];
  const pod = kube.kindOf('v1', 'Pod')?.schema.fields.get('spec')?.schema;
  return { object: chosen.length > 0 ? chosen.map(it => it.schema) : ofAny, pod: pod === undefined ? [] : [pod] };
}

/** The variables with those of open macros: `pod.containers.all(c, …` */
function namesIn(text: string, roots: Names): Names {
  const macros = text.matchAll(
    /(\w+)((?:\.\w+|\[\d+\])*)\.(?:all|exists|exists_one|existsOne|map|filter)\(\s*(\w+)\s*,/g,
  );
  const known = new Map(Object.entries(roots));
  for (const [, root = '', path = '', name = ''] of macros) {
    const lists = walked(known.get(root) ?? [], path);
    known.set(
      name,
      lists.flatMap(it => (it.type === 'list' ? [it.items] : [])),
    );
  }
  return Object.fromEntries(known);
}

/** The schemas after the steps of `.spec.containers[0]`. */
function walked(from: readonly Schema[], path: string): readonly Schema[] {
  const steps = path.match(/\.\w+|\[\d+\]/g) ?? [];
  return steps.reduce<readonly Schema[]>((schemas, step) => schemas.flatMap(it => stepOf(it, step)), from);
}

function stepOf(schema: Schema, step: string): readonly Schema[] {
  if (step.startsWith('[')) return schema.type === 'list' ? [schema.items] : [];
  if (schema.type === 'map') return [schema.values];
  const found = schema.type === 'object' ? schema.fields.get(step.slice(1))?.schema : undefined;
  return found === undefined ? [] : [found];
}

const itemsOf = ({ definition, fields }: ObjectSchema, kube: Kinds): readonly Omit<CompletionItem, 'span'>[] =>
  [...fields.values()].map(({ name, schema }) => {
    const documentation = kube.description(definition, name);
    const texts = { label: name, filter: name, insert: literally(name), detail: schema.type };
    return { ...texts, kind: 'field' as const, rank: 0, ...(documentation !== undefined && { documentation }) };
  });
