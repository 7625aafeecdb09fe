import type { Kube } from '../../../../kube/kube';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { isUnknownFormat } from '../crd/formats';
import type { Warning } from '../errors';
import { otherSchemas, type SchemaFacts } from './ordinary';
import type { SchemaProps } from './schemaProps';
import type { InternalVersions } from './versions';

/** Upstream: WarningsOnCreate of CustomResourceDefinitions. */
export function definitionWarnings({ common, versions }: InternalVersions, kube: SchemaFacts): readonly Warning[] {
  const roots = [common, ...versions].flatMap(it => it.validation?.schema ?? []);
  const schemas: SchemaProps[] = [];
  for (const it of roots) addSchemasToTell(schemas, it, kube);
  const formats = schemas.flatMap(it => (hasUnknownFormat(it, kube) ? (it.format ?? []) : []));
  const sets = schemas.filter(it => it['x-kubernetes-list-type'] === 'set').map(it => it.items?.type);
  const tellsSets = applies(minorChanges.warnsOfSetsOfObjects, kube);
  return [
    ...formats.map(it => `unrecognized format ${JSON.stringify(it)}`),
    ...(tellsSets ? ['array', 'object'] : [])
      .filter(it => sets.includes(it))
      .map(
        it =>
          `x-kubernetes-list-type: set for items of type "${it}" is not supported by server-side apply or CEL validation rules`,
      ),
  ];
}

const hasUnknownFormat = ({ type, format }: SchemaProps, kube: Pick<Kube, 'minor'>): boolean =>
  format !== undefined && isUnknownFormat(type, format, kube);

/** Adds the schemas that a warning may be about, in the order of `allSchemas`. */
function addSchemasToTell(to: SchemaProps[], of: SchemaProps, kube: SchemaFacts): void {
  if (kube.parts.isMarked(NOTHING, of)) return;
  const before = to.length;
  if (hasUnknownFormat(of, kube) || of['x-kubernetes-list-type'] === 'set') to.push(of);
  for (const it of otherSchemas(of, kube).all) addSchemasToTell(to, it, kube);
  if (to.length === before) kube.parts.mark(NOTHING, of);
}

const NOTHING = 'nothing to warn of';
