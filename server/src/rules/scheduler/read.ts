import type { JsonObject } from '../../base/json';
import { asObject } from '../../base/json';
import { records, text } from '../../kube/goFields';
import type { Kube } from '../../kube/kube';
import { FieldPath } from '../../manifest/fieldPath';
import { errorText } from '../apiserver/messages/sentences';
import type { FieldError, Validation } from '../apiserver/validate/errors';
import { decode } from '../decode/decode';
import { pluginArgsDecoded } from '../decode/pluginArgs';
import { CONFIG_GROUP, configurationErrors } from './validate/configuration';
import { type ProfileRefusal, profileRefusals } from './validate/profiles';

/** A `kind: KubeSchedulerConfiguration` of the version that is served, whatever it holds. */
export function isConfiguration(value: JsonObject): boolean {
  return value.apiVersion === `${CONFIG_GROUP}/v1` && value.kind === 'KubeSchedulerConfiguration';
}

/** What is wrong with a configuration that can be decoded; nothing for another object and for one that cannot. */
export function toldOf(
  value: JsonObject,
  kube: Kube,
): { readonly errors: readonly FieldError[]; readonly refusals: readonly ProfileRefusal[] } {
  const kind = isConfiguration(value) ? kube.kindOf(`${CONFIG_GROUP}/v1`, 'KubeSchedulerConfiguration') : undefined;
  if (kind === undefined) return { errors: [], refusals: [] };
  const decoded = [...decode(value, kind.schema), ...pluginArgsDecoded(value, kind, kube)];
  if (decoded.some(it => it.what === 'mismatch') || foreignArgs(value, kube).length > 0) {
    return { errors: [], refusals: [] };
  }
  const validation: Validation = { kube, isOn: gate => kube.isGateOn(gate) };
  return { errors: configurationErrors(value, validation), refusals: profileRefusals(value, validation) };
}

export interface ForeignArgs {
  readonly at: FieldPath;
  readonly plugin: string;
  /** In upstream's words. */
  readonly text: string;
}

/** Args that say of themselves that they are another plugin's, or of another version. Upstream: decodeNestedObjects. */
export function foreignArgs(value: JsonObject, kube: Kube): readonly ForeignArgs[] {
  if (!isConfiguration(value)) return [];
  return records(value, 'profiles').flatMap((profile, i) =>
    records(profile, 'pluginConfig').flatMap((config, j) => {
      const plugin = text(config, 'name');
      const args = asObject(config.args);
      const wanted = `${plugin}Args`;
      if (args === undefined || kube.kindOf(`${CONFIG_GROUP}/v1`, wanted) === undefined) return [];
      const apiVersion = text(args, 'apiVersion') || `${CONFIG_GROUP}/v1`;
      const kind = text(args, 'kind') || wanted;
      const at = FieldPath.of('profiles', i, 'pluginConfig', j, 'args');
      if (apiVersion !== `${CONFIG_GROUP}/v1` || kube.kindOf(apiVersion, kind) === undefined) {
        const text = `decoding args for plugin ${plugin}: no kind "${kind}" is registered for version "${apiVersion}"`;
        return [{ at: at.child(apiVersion === `${CONFIG_GROUP}/v1` ? 'kind' : 'apiVersion'), plugin, text }];
      }
      if (kind === wanted) return [];
      const text_ = `args for plugin ${plugin} were not of type ${wanted}.${CONFIG_GROUP}, got ${kind}.${CONFIG_GROUP}`;
      return [{ at: at.child('kind'), plugin, text: text_ }];
    }),
  );
}

/**
 * One sentence for everything that keeps kube-scheduler from starting with a configuration; of plugins that it does not
 * know nothing is said, as a scheduler of one's own build may have them.
 */
export function configurationSentences(value: JsonObject, kube: Kube): readonly string[] {
  const kind = isConfiguration(value) ? kube.kindOf(`${CONFIG_GROUP}/v1`, 'KubeSchedulerConfiguration') : undefined;
  if (kind === undefined) return [];
  const { errors, refusals } = toldOf(value, kube);
  const decoded = [...decode(value, kind.schema), ...pluginArgsDecoded(value, kind, kube)];
  return [
    ...decoded.map(it =>
      it.what === 'unknown' ? `unknown field "${it.at.toString()}"` : `${it.printed} has a value of another type`,
    ),
    ...foreignArgs(value, kube).map(it => `${it.at.toString()}: ${it.text}`),
    ...errors.map(errorText),
    ...refusals.filter(it => !it.unknownPlugin).map(it => `${it.at.toString()}: ${it.text}`),
  ];
}
