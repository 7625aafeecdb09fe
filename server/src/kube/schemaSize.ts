import type { PartMemo } from '../base/partMemo';
import type { StructuralSchema } from './kube';

/** How much one level of a schema may ask of each value. The API server has no such limit. */
export const MOST_ASKED = 1_000;

/** What a CEL rule takes beside a required field. */
const RULE = 5;

/** Whether some level of a schema asks so much that checking any number of small objects by it takes too long. */
export function asksTooMuch(schema: StructuralSchema, memo: PartMemo): boolean {
  return memo.of('whether it asks too much', schema, () => {
    if (askedAt(schema, memo) > MOST_ASKED) return true;
    const { properties = {}, items, additionalProperties } = schema;
    const inner = [...Object.values(properties), items, additionalProperties, ...combined(schema)];
    return inner.some(it => typeof it === 'object' && asksTooMuch(it, memo));
  });
}

/** The number of required fields, defaults and rules at the level of a value, those of all alternatives included. */
function askedAt(schema: StructuralSchema, memo: PartMemo): number {
  return memo.of('how much it asks', schema, () => {
    const { required = [], properties = {}, 'x-kubernetes-validations': rules = [] } = schema;
    const defaults = Object.values(properties).filter(it => it.default !== undefined).length;
    const own = required.length + defaults + RULE * rules.length;
    return combined(schema).reduce((sum, it) => sum + 1 + askedAt(it, memo), own);
  });
}

const combined = ({ allOf = [], anyOf = [], oneOf = [], not }: StructuralSchema): readonly StructuralSchema[] => [
  ...allOf,
  ...anyOf,
  ...oneOf,
  ...(not === undefined ? [] : [not]),
];
