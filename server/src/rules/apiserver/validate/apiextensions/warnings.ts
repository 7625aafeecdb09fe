import type { Kube } from '../../../../kube/kube';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { isRecognizedFormat } from '../crd/formats';
import type { Warning } from '../errors';
import { allSchemas } from './schemaProps';
import type { InternalVersions } from './versions';

/** Upstream: WarningsOnCreate of CustomResourceDefinitions. */
export function definitionWarnings(
  { common, versions }: InternalVersions,
  kube: Pick<Kube, 'minor'>,
): readonly Warning[] {
  const roots = [common, ...versions].flatMap(it => it.validation?.schema ?? []);
  const schemas = roots.flatMap(it => [...allSchemas(it)]);
  const formats = schemas.flatMap(({ type, format }) =>
    format === undefined || isRecognizedFormat(type, format, kube) ? [] : [format],
  );
  const sets = schemas.filter(it => it['x-kubernetes-list-type'] === 'set').map(it => it.items?.type);
  const tellsFormats = applies(minorChanges.warnsOfUnknownFormats, kube);
  const tellsSets = applies(minorChanges.warnsOfSetsOfObjects, kube);
  return [
    ...(tellsFormats ? formats : []).map(it => `unrecognized format ${JSON.stringify(it)}`),
    ...(tellsSets ? ['array', 'object'] : [])
      .filter(it => sets.includes(it))
      .map(
        it =>
          `x-kubernetes-list-type: set for items of type "${it}" is not supported by server-side apply or CEL validation rules`,
      ),
  ];
}
