import type { JsonObject } from '../../../../server/src/base/json';
import { draStrategies } from '../../../../server/src/rules/apiserver/validate/dra';
import type { Validation } from '../../../../server/src/rules/apiserver/validate/errors';
import { dropGatedFields } from '../../../../server/src/rules/apiserver/validate/gatedFields';
import { kubeFacts } from '../../../support/packs';

/** The server's answer for an object at Kubernetes 1.37, with gates that differ from the defaults. */
export function answer(kind: string, object: JsonObject, gates: Readonly<Record<string, boolean>> = {}) {
  const kube = kubeFacts('1.37', gates);
  const validation: Validation = { kube, isOn: gate => kube.isGateOn(gate) };
  const strategy = draStrategies()[kind];
  if (strategy === undefined) throw new Error(`no strategy for ${kind}`);
  const defaulted = strategy.defaults?.(object, validation) ?? object;
  const byStrategy = strategy.drop?.(defaulted, validation) ?? { object: defaulted, dropped: [] };
  const newest = kube.kinds().find(it => `${it.group}/${it.kind}` === kind);
  const stored = dropGatedFields(byStrategy.object, newest && kube.gatedFields(newest.schema.definition));
  return {
    object: stored.object,
    errors: [...strategy.validate(stored.object, validation)].map(it => `${it.type} ${it.at}: ${it.detail}`),
    dropped: [...byStrategy.dropped, ...stored.dropped].map(String),
    warnings: strategy.warn?.(stored.object, validation) ?? [],
  };
}
