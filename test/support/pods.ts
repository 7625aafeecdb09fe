import { expect, test } from 'vitest';
import type { JsonObject } from '../../server/src/base/json';
import { loadKube } from '../../server/src/kube/load';
import { answerOf } from '../../server/src/rules/apiserver/validate/engine';
import { readPack } from './packs';

interface World {
  readonly minor?: string;
  readonly gates?: Readonly<Record<string, boolean>>;
}

/** The server's response to the creation of a Pod with this spec, without the type's common prefix. */
function response(spec: JsonObject, { minor = '1.37', gates = {} }: World = {}): readonly string[] {
  const kube = loadKube(minor, gates, readPack);
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one', namespace: 'here' }, spec };
  const answer = answerOf(pod, kube.kindOf('v1', 'Pod'), kube);
  return (answer?.errors ?? []).map(it => `${it.type.replace('FieldValue', '')} ${it.at}: ${it.detail}`);
}

/** A valid container, with further fields. */
export const app = (fields: JsonObject = {}): JsonObject => ({ name: 'app', image: 'nginx', ...fields });
/** A Pod of one container with these fields. */
export const alone = (fields: JsonObject): JsonObject => ({ containers: [app(fields)] });
export const os = (name: string) => ({ os: { name } });

type Case = readonly [name: string, spec: JsonObject, errors: readonly string[], world?: World];

/** One test a Pod: exactly its errors, in upstream's order. */
export function check(cases: readonly Case[]) {
  for (const [name, spec, errors, world] of cases) test(name, () => expect(response(spec, world)).toEqual(errors));
}
