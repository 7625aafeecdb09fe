import type { Field, Schema } from '../../../kube/kube';
import { scalarText } from '../../../rules/edits/yamlText';
import { literally } from './item';

/** The indentation of a manifest. */
export interface Layout {
  readonly style: 'block' | 'flow' | 'json';
  /** Indentation of a nested mapping. */
  readonly unit: number;
  /** Indentation of the dashes of a list below its key. */
  readonly dash: number;
}

/** The number of levels of required fields in a snippet. */
const MAX_DEPTH = 4;

/** Detects the indentation of a text. */
export function layoutOf(text: string, style: Layout['style']): Layout {
  const unit = /^[A-Za-z][^\n]*:[ \t]*\r?\n( +)[^\s#-]/m.exec(text)?.[1]?.length ?? 2;
  const list = /^( *)[^\s#-][^\n]*:[ \t]*\r?\n( *)- /m.exec(text);
  const dash = list === null ? unit : Math.max(0, (list[2]?.length ?? 0) - (list[1]?.length ?? 0));
  return { style, unit: Math.min(unit, 8), dash: Math.min(dash, 8) };
}

/** The counter of tab stops of one snippet. */
interface Stops {
  next(): number;
}

/**
 * A snippet of `key:` with its value and tab stops; `column` is where the key begins. For a map with known keys the key is
 * left empty, so that completion can offer them.
 */
export function fieldSnippet(
  key: string,
  field: Field,
  layout: Layout,
  column: number,
  keys: 'known' | 'unknown',
): string {
  if (field.schema.type === 'map' && keys === 'known') {
    const place = layout.style === 'block' ? `\n${' '.repeat(column + layout.unit)}$0` : ' {$0\\}';
    return `${literally(keyText(key, layout))}:${place}`;
  }
  const stops = countStops();
  const text = `${literally(keyText(key, layout))}:${valueText(field.schema, layout, column, stops, 0)}`;
  // A single tab stop is the end of the snippet.
  return stops.next() === 2 ? text.replace(/\$\{1\}/, () => '$0') : text;
}

export function keyText(key: string, { style }: Pick<Layout, 'style'>): string {
  return style === 'json' ? JSON.stringify(key) : scalarText(key);
}

/** A scalar as text, quoted if needed. */
export function scalarIn(value: string | number | boolean, schema: Schema | undefined, style: Layout['style']): string {
  const isText = schema === undefined || !['integer', 'number', 'boolean', 'intOrString'].includes(schema.type);
  if (style !== 'json') return typeof value === 'string' && isText ? scalarText(value) : String(value);
  return JSON.stringify(value);
}

/** A snippet of a list's item, without its dash; `column` is where the item begins. */
export function itemSnippet(schema: Schema, layout: Layout, column: number): string {
  const stops = countStops();
  return itemText(schema, layout, column, stops, 0);
}

function countStops(): Stops {
  let count = 0;
  return {
    next: () => {
      count++;
      return count;
    },
  };
}

function valueText(schema: Schema, layout: Layout, column: number, stops: Stops, depth: number): string {
  if (layout.style !== 'block') return ` ${inlineText(schema, layout, stops, depth)}`;
  const inner = column + layout.unit;
  const line = `\n${' '.repeat(inner)}`;
  switch (schema.type) {
    case 'object':
      return `${line}${fieldsText(schema, layout, inner, stops, depth)}`;
    case 'map':
      return `${line}${stop(stops, 'key')}:${valueText(schema.values, layout, inner, stops, depth + 1)}`;
    case 'list': {
      const dash = column + layout.dash;
      return `\n${' '.repeat(dash)}- ${itemText(schema.items, layout, dash + 2, stops, depth)}`;
    }
    default:
      return ` ${scalarStop(schema, layout, stops)}`;
  }
}

function itemText(schema: Schema, layout: Layout, column: number, stops: Stops, depth: number): string {
  if (layout.style !== 'block') return inlineText(schema, layout, stops, depth);
  if (schema.type === 'object') return fieldsText(schema, layout, column, stops, depth);
  return scalarStop(schema, layout, stops);
}

type ObjectSchema = Extract<Schema, { readonly type: 'object' }>;

const requiredFields = (schema: ObjectSchema): readonly Field[] =>
  [...schema.fields.values()].filter(it => it.required);

function fieldsText(schema: ObjectSchema, layout: Layout, column: number, stops: Stops, depth: number): string {
  const required = depth < MAX_DEPTH ? requiredFields(schema) : [];
  if (required.length === 0) return stop(stops);
  return required
    .map(it => `${it.name}:${valueText(it.schema, layout, column, stops, depth + 1)}`)
    .join(`\n${' '.repeat(column)}`);
}

function inlineText(schema: Schema, layout: Layout, stops: Stops, depth: number): string {
  switch (schema.type) {
    case 'object': {
      const required = depth < MAX_DEPTH ? requiredFields(schema) : [];
      const fields = required.map(
        it => `${keyText(it.name, layout)}: ${inlineText(it.schema, layout, stops, depth + 1)}`,
      );
      return fields.length === 0 ? `{${stop(stops)}\\}` : `{ ${fields.join(', ')} \\}`;
    }
    case 'map':
      return `{${stop(stops)}\\}`;
    case 'list': {
      const isNested = schema.items.type === 'object' && requiredFields(schema.items).length > 0;
      return isNested ? `[${inlineText(schema.items, layout, stops, depth + 1)}]` : `[${stop(stops)}]`;
    }
    default:
      return scalarStop(schema, layout, stops);
  }
}

/** The maximum number of choices of a tab stop. */
const MAX_CHOICES = 24;

function scalarStop(schema: Schema, layout: Layout, stops: Stops): string {
  if (schema.type === 'boolean') return `\${${stops.next()}|true,false|}`;
  if (schema.type === 'string' && schema.enum && schema.enum.length <= MAX_CHOICES) {
    const choices = schema.enum.filter(it => it !== '').map(it => scalarIn(it, schema, layout.style));
    return `\${${stops.next()}|${choices.map(it => it.replace(/[\\,|$}]/g, '\\$&')).join(',')}|}`;
  }
  const isQuoted = layout.style === 'json' && !['integer', 'number', 'intOrString', 'any'].includes(schema.type);
  return isQuoted ? `"${stop(stops)}"` : stop(stops);
}

const stop = (stops: Stops, name?: string): string => (name ? `\${${stops.next()}:${name}}` : `\${${stops.next()}}`);
