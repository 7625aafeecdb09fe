import type { JsonObject } from '../../../server/src/base/json';
import { loadKube } from '../../../server/src/kube/load';
import { answerOf } from '../../../server/src/rules/apiserver/validate/engine';
import { readPack } from '../../support/packs';

export interface Server {
  readonly minor?: string;
  readonly gates?: Readonly<Record<string, boolean>>;
}

/** The server's answer for an object: its errors and dropped fields as short `field: text` lines. */
export function answer(object: JsonObject, { minor = '1.37', gates = {} }: Server = {}) {
  const kube = loadKube(minor, gates, readPack);
  const said = answerOf(object, kube.kindOf(String(object.apiVersion), String(object.kind)), kube);
  return {
    errors: (said?.errors ?? []).map(it => `${it.at}: ${it.type.replace('FieldValue', '')} ${it.detail}`.trim()),
    dropped: (said?.dropped ?? []).map(String),
    warnings: said?.warnings ?? [],
  };
}
