import { asObject, asText, type JsonObject } from '../../base/json';
import type { Kube } from '../../kube/kube';
import type { RuleTarget } from '../framework/rule';

export interface DataSource {
  /** undefined when absent, which upstream distinguishes from ''. */
  readonly apiGroup: string | undefined;
  readonly kind: string;
  readonly name: string;
  /** '' when absent. */
  readonly namespace: string;
}

/** The data sources of a claim as written, and as they are after the create step has dropped and copied fields. */
export interface ClaimSources {
  readonly written: { readonly dataSource: DataSource | undefined; readonly dataSourceRef: DataSource | undefined };
  readonly stored: { readonly dataSource: DataSource | undefined; readonly dataSourceRef: DataSource | undefined };
  /** Whether dataSourceRef was dropped because of its namespace. */
  readonly refDropped: boolean;
  /** Whether dataSource was dropped because its kind is neither of the two that it may name. */
  readonly sourceDropped: boolean;
}

/**
 * Upstream: the PersistentVolumeClaim strategy (DropDisabledFields, EnforceDataSourceBackwardsCompatibility,
 * NormalizeDataSources), in that order.
 */
export function claimSources({ object, value }: RuleTarget, kube: Kube): ClaimSources | undefined {
  const spec = asObject(value.spec);
  if (object.group !== '' || spec === undefined) return undefined;
  const written = { dataSource: read(asObject(spec.dataSource)), dataSourceRef: read(asObject(spec.dataSourceRef)) };
  const refDropped = !kube.isGateOn(CROSS_NAMESPACE_GATE) && (written.dataSourceRef?.namespace ?? '') !== '';
  const ref = refDropped ? undefined : written.dataSourceRef;
  const sourceDropped = written.dataSource !== undefined && ref === undefined && !isOldKind(written.dataSource);
  const source = sourceDropped ? undefined : written.dataSource;
  const stored = {
    dataSource: source ?? (ref?.namespace === '' ? ref : undefined),
    dataSourceRef: ref ?? (source && { ...source, namespace: '' }),
  };
  return { written, stored, refDropped, sourceDropped };
}

/**
 * Whether two references name the same object, regardless of the namespace. Upstream: isDataSourceEqualDataSourceRef.
 */
export function isSameSource(a: DataSource, b: DataSource): boolean {
  return a.apiGroup === b.apiGroup && a.kind === b.kind && a.name === b.name;
}

function read(it: JsonObject | undefined): DataSource | undefined {
  if (it === undefined) return undefined;
  return {
    apiGroup: typeof it.apiGroup === 'string' ? it.apiGroup : undefined,
    kind: asText(it.kind) ?? '',
    name: asText(it.name) ?? '',
    namespace: asText(it.namespace) ?? '',
  };
}

function isOldKind({ apiGroup, kind }: DataSource): boolean {
  if ((apiGroup ?? '') === '') return kind === 'PersistentVolumeClaim';
  return apiGroup === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot';
}

/** The gate of `dataSourceRef.namespace`. */
export const CROSS_NAMESPACE_GATE = 'CrossNamespaceVolumeDataSource';
