import { asList, asObject, asText, type JsonObject } from '../../base/json';
import type { KindInfo, Kube } from '../../kube/kube';
import { FieldPath } from '../../manifest/fieldPath';
import { decode, type Mismatch, type UnknownField } from './decode';

/**
 * The strict decoder's errors for the plugins' args in a KubeSchedulerConfiguration; the type of the args depends on
 * the plugin's name. Args of plugins outside the tree are not checked. Upstream: PluginConfig.decodeNestedObjects.
 */
export function* pluginArgsDecoded(
  value: JsonObject,
  { group, version, kind }: Pick<KindInfo, 'group' | 'version' | 'kind'>,
  kube: Kube,
): Iterable<UnknownField | Mismatch> {
  if (kind !== 'KubeSchedulerConfiguration') return;
  for (const [i, profile] of asList(value.profiles).entries()) {
    for (const [j, config] of asList(asObject(profile)?.pluginConfig).entries()) {
      const { name, args } = asObject(config) ?? {};
      const schema = kube.kindOf(`${group}/${version}`, `${asText(name) ?? ''}Args`)?.schema;
      if (schema === undefined || args === undefined || args === null) continue;
      const at = FieldPath.of('profiles', i, 'pluginConfig', j, 'args');
      const object = asObject(args);
      if (object === undefined) yield { what: 'mismatch', at, printed: at.toString(), wanted: 'object', value: args };
      else for (const it of decode(object, schema)) yield below(at, it);
    }
  }
}

function below(args: FieldPath, it: UnknownField | Mismatch): UnknownField | Mismatch {
  const at = FieldPath.of(...args.segments, ...it.at.segments);
  return it.what === 'unknown' ? { ...it, at } : { ...it, at, printed: `${args.toString()}.${it.printed}` };
}
