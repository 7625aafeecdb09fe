import { asObject, type JsonObject } from '../../base/json';
import { records, text } from '../../kube/goFields';
import type { Kube } from '../../kube/kube';
import { FieldPath } from '../../manifest/fieldPath';
import { errorText } from '../apiserver/messages/sentences';
import type { FieldError, Validation } from '../apiserver/validate/errors';
import { decode } from '../decode/decode';
import { pluginArgsDecoded } from '../decode/pluginArgs';
import { CONFIG_GROUP, configurationErrors } from './validate/configuration';
import { type ProfileRefusal, profileRefusals } from './validate/profiles';

/** Whether an object is a `kind: KubeSchedulerConfiguration` of the served version, valid or not. */
export function isConfiguration(value: JsonObject): boolean {
  return value.apiVersion === `${CONFIG_GROUP}/v1` && value.kind === 'KubeSchedulerConfiguration';
}

/** The errors of a configuration that can be decoded; none for any other object. */
export function configurationProblems(
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
  /** Upstream's message. */
  readonly text: string;
}

/** Args whose apiVersion or kind are those of another plugin or version. Upstream: decodeNestedObjects. */
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
 * One sentence for each error that keeps kube-scheduler from starting with a configuration. Unknown plugins are not
 * reported, since a custom build of the scheduler may have them.
 */
export function configurationSentences(value: JsonObject, kube: Kube): readonly string[] {
  const kind = isConfiguration(value) ? kube.kindOf(`${CONFIG_GROUP}/v1`, 'KubeSchedulerConfiguration') : undefined;
  if (kind === undefined) return [];
  const { errors, refusals } = configurationProblems(value, kube);
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
