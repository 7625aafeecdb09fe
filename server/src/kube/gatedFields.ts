import type { GatedFields, GatedPart } from './kube';

/** A field of a definition: what it holds, seen through its lists. */
export interface DefinitionField {
  readonly name: string;
  /** The definition of what it holds; undefined for a scalar. */
  readonly holds: string | undefined;
  readonly isMap: boolean;
}

type FieldsOf = (definition: string) => readonly DefinitionField[];

/** Templates of claims are stored as they are; the Pod's own resources never had claims that a gate could take. */
const NOT_ENTERED: ReadonlySet<string> = new Set([
  'io.k8s.api.core.v1.PersistentVolumeClaimTemplate.spec',
  'io.k8s.api.apps.v1.StatefulSetSpec.volumeClaimTemplates',
  'io.k8s.api.core.v1.PodSpec.resources',
]);

/** Removed of some containers only, which the Pod's strategy does itself. */
const NOT_EVERYWHERE: ReadonlySet<string> = new Set(['io.k8s.api.core.v1.Container.restartPolicy']);

/** Fields of a Job that PrepareForCreate of a CronJob leaves in its template. */
const KEPT_BY_CRON_JOBS: ReadonlySet<string> = new Set([
  'backoffLimitPerIndex',
  'managedBy',
  'maxFailedIndexes',
  'podReplacementPolicy',
  'successPolicy',
]);
const JOB_TEMPLATE_SPEC = 'io.k8s.api.batch.v1.JobTemplateSpec.spec';

/** Fields that hang on AtomicWriteVolumeUserFields. */
const USERS = /^io\.k8s\.api\.core\.v1\.\w+\.(?:user|defaultUser)$/;

/** Sources of which upstream takes the users from the first one only, in its order. */
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
 * What the server removes of objects of a definition, by definition; made when first asked for. `gated` names the fields
 * whose gate is off, as `definition.field`.
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
    // Definitions hold each other in circles, so the parts are looked for when somebody goes there.
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

/** `definition.field` of every field that its gates remove wherever it stands. */
export function isRemovedEverywhere(field: string): boolean {
  return !NOT_EVERYWHERE.has(field);
}

/**
 * Whether a definition has a gated field or holds a definition that leads to one. It looks at the definitions that the
 * asked one holds and no others.
 */
function leadingTo(fieldsOf: FieldsOf, gated: ReadonlySet<string>): (definition: string) => boolean {
  const known = new Map<string, boolean>();
  const hasGated = (definition: string): boolean =>
    known.get(definition) ?? fieldsOf(definition).some(({ name }) => gated.has(`${definition}.${name}`));
  return asked => {
    const answer = known.get(asked);
    if (answer !== undefined) return answer;
    // A set hands out what is added while it is walked.
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
