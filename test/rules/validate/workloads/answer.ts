import type { JsonObject } from '../../../../server/src/base/json';
import { loadKube } from '../../../../server/src/kube/load';
import { answerOf } from '../../../../server/src/rules/apiserver/validate/engine';
import { readPack } from '../../../support/packs';

export interface At {
  readonly minor?: string;
  readonly gates?: Readonly<Record<string, boolean>>;
}

/** The server's answer for an object, in the server's order. */
export function answer(object: JsonObject, { minor = '1.37', gates = {} }: At = {}) {
  const kube = loadKube(minor, gates, readPack);
  const kind = kube.kindOf(String(object.apiVersion), String(object.kind));
  const { errors = [], dropped = [], warnings = [] } = answerOf(object, kind, kube) ?? {};
  return {
    errors: errors.map(it => `${it.type} ${it.at} ${it.detail}`.trim()),
    dropped: dropped.map(String),
    warnings,
  };
}
