import type { GatedFields, GatedPart } from './kube';

/** A field of a definition and the definition of its value, or of the items of its lists. */
export interface DefinitionField {
  readonly name: string;
  /** The definition of its value; undefined for a scalar. */
  readonly holds: string | undefined;
  readonly isMap: boolean;
}

type FieldsOf = (definition: string) => readonly DefinitionField[];

/** Templates of claims and volumes of attachments are stored unchanged; the Pod's own resources never had claims with a gate. */
const NOT_ENTERED: ReadonlySet<string> = new Set([
  'io.k8s.api.core.v1.PersistentVolumeClaimTemplate.spec',
  'io.k8s.api.apps.v1.StatefulSetSpec.volumeClaimTemplates',
  'io.k8s.api.core.v1.PodSpec.resources',
  'io.k8s.api.storage.v1.VolumeAttachmentSource.inlineVolumeSpec',
]);

/** Removed only from some containers, by the Pod's strategy. */
const NOT_EVERYWHERE: ReadonlySet<string> = new Set(['io.k8s.api.core.v1.Container.restartPolicy']);

/** Fields of a Job that PrepareForCreate of a CronJob keeps in its template. */
const KEPT_BY_CRON_JOBS: ReadonlySet<string> = new Set([
  'backoffLimitPerIndex',
  'managedBy',
  'maxFailedIndexes',
  'podReplacementPolicy',
  'successPolicy',
]);
const JOB_TEMPLATE_SPEC = 'io.k8s.api.batch.v1.JobTemplateSpec.spec';

/** Fields of the gate AtomicWriteVolumeUserFields. */
const USERS = /^io\.k8s\.api\.core\.v1\.\w+\.(?:user|defaultUser)$/;

/** Sources of which upstream removes the users only from the first one, in its order. */
const FIRST_OF: Readonly<Record<string, readonly string[]>> = {
  'io.k8s.api.core.v1.Volume': ['secret', 'configMap', 'downwardAPI', 'projected'],
  'io.k8s.api.core.v1.VolumeProjection': [
    'secret',
    'downwardAPI',
    'configMap',
    'serviceAccountToken',
    'clusterTrustBundle',
    'podCertificate',
  ],
};

/**
 * The fields that the server removes from objects of a definition, by definition; computed on demand. `gated` contains
 * the fields whose gate is off, as `definition.field`.
 */
export function gatedFieldsIndex(
  fieldsOf: FieldsOf,
  gated: ReadonlySet<string>,
): (definition: string) => GatedFields | undefined {
  const leadsToGated = leadingTo(fieldsOf, gated);
  const others = new Set([...gated].filter(it => !USERS.test(it)));
  let ofOthers: ((definition: string) => GatedFields | undefined) | undefined;
  const made = new Map<string, GatedFields>();
  const partsOf = (definition: string) =>
    fieldsOf(definition).flatMap(({ name, holds, isMap }): [string, GatedPart][] => {
      const edge = `${definition}.${name}`;
      if (gated.has(edge) || NOT_ENTERED.has(edge) || holds === undefined || !leadsToGated(holds)) return [];
      const fields = gatedFields(holds, edge === JOB_TEMPLATE_SPEC ? KEPT_BY_CRON_JOBS : new Set());
      return [[name, { isMap, fields }]];
    });
  const gatedFields = (definition: string, kept: ReadonlySet<string>): GatedFields => {
    const key = kept.size === 0 ? definition : `${definition} of another`;
    const known = made.get(key);
    if (known !== undefined) return known;
    // Definitions refer to each other in circles, so the parts are computed on demand.
    let parts: ReadonlyMap<string, GatedPart> | undefined;
    const it: GatedFields = {
      removed: fieldsOf(definition)
        .map(field => field.name)
        .filter(name => gated.has(`${definition}.${name}`) && !kept.has(name)),
      get parts() {
        parts ??= new Map(partsOf(definition));
        return parts;
      },
      firstOf: others.size === gated.size ? [] : (FIRST_OF[definition] ?? []),
      get inLater() {
        ofOthers ??= gatedFieldsIndex(fieldsOf, others);
        return ofOthers(definition);
      },
    };
    made.set(key, it);
    return it;
  };
  return definition => (leadsToGated(definition) ? gatedFields(definition, new Set()) : undefined);
}

/** `definition.field` of every field that its gates remove in any object. */
export function isRemovedEverywhere(field: string): boolean {
  return !NOT_EVERYWHERE.has(field);
}

/**
 * Whether a definition has a gated field or refers to a definition that leads to one. It visits only definitions that
 * are reachable from the given one.
 */
function leadingTo(fieldsOf: FieldsOf, gated: ReadonlySet<string>): (definition: string) => boolean {
  const known = new Map<string, boolean>();
  const hasGated = (definition: string): boolean =>
    known.get(definition) ?? fieldsOf(definition).some(({ name }) => gated.has(`${definition}.${name}`));
  return asked => {
    const answer = known.get(asked);
    if (answer !== undefined) return answer;
    // Iteration over a set includes items that are added meanwhile.
    const held = new Set([asked]);
    for (const definition of held) {
      if (hasGated(definition)) {
        known.set(asked, true);
        return true;
      }
      for (const { holds } of fieldsOf(definition)) {
        if (holds !== undefined && known.get(holds) !== false) held.add(holds);
      }
    }
    for (const definition of held) known.set(definition, false);
    return false;
  };
}
