import type { JsonObject } from '../../../../../base/json';
import { has, mapField, mapItems, record, withDefault, withDefaults } from '../../../../../kube/goFields';
import { claimSpecDefaults } from '../../storage/claim';
import { withSourceDefaults } from '../../storage/sourceDefaults';

/** A volume of a Pod with its defaults. Upstream: SetDefaults_Volume and those of the volume's sources. */
export function defaultVolume(volume: JsonObject): JsonObject {
  if (!Object.keys(volume).some(it => it !== 'name' && has(volume, it))) return { ...volume, emptyDir: {} };
  return [withSourceDefaults, defaultImage, defaultModes, defaultTokens, defaultClaim].reduce(
    (it, change) => change(it),
    volume,
  );
}

/** For the tag `latest` upstream's default is Always; no check distinguishes the two policies. */
function defaultImage(volume: JsonObject): JsonObject {
  return mapField(volume, 'image', it => withDefaults(it, { pullPolicy: 'IfNotPresent' }));
}

function defaultModes(volume: JsonObject): JsonObject {
  return ['secret', 'configMap', 'downwardAPI', 'projected'].reduce(
    (it, type) => mapField(it, type, source => withDefault(source, 'defaultMode', 0o644)),
    volume,
  );
}

/** Upstream: SetDefaults_ServiceAccountTokenProjection. */
function defaultTokens(volume: JsonObject): JsonObject {
  return mapField(volume, 'projected', projected =>
    mapItems(projected, 'sources', source =>
      mapField(source, 'serviceAccountToken', it => withDefault(it, 'expirationSeconds', 3600)),
    ),
  );
}

function defaultClaim(volume: JsonObject): JsonObject {
  return mapField(volume, 'ephemeral', ephemeral =>
    mapField(ephemeral, 'volumeClaimTemplate', template => ({
      ...template,
      spec: claimSpecDefaults(record(template, 'spec') ?? {}),
    })),
  );
}
