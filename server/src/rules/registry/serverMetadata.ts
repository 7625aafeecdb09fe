import { asText, type JsonObject } from '../../base/json';
import { t } from '../../base/l10n';
import { get, has, int, items, record, records, text } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import { answerFor } from '../apiserver/answer';
import { isZeroTime } from '../apiserver/validate/systemMetadata';
import { layered } from '../framework/layers';
import { defineRule, type RuleTarget } from '../framework/rule';
import { listed } from '../placement/phrases';

interface Facts {
  readonly fields: readonly FieldPath[];
  readonly isRefused: boolean;
  /** No object that a cluster makes itself. */
  readonly isApplied: boolean;
}

const RESOURCE_VERSION = FieldPath.of('metadata', 'resourceVersion');
const STATUS = FieldPath.of('status');

export default defineRule<Facts>({
  meta: {
    code: 'registry/server-metadata',
    category: 'policy',
    severity: 'error',
    cost: 'typing',
    summary: 'An object holds fields that only the server writes, as `kubectl get -o yaml` prints them.',
    why: 'The store refuses to create an object with a `resourceVersion`: "resourceVersion should not be set on objects to be created". The server ignores the other fields, or writes its own values.',
    remedy: 'Remove them.',
    details:
      'All such fields of one object are one problem. Without a `resourceVersion` it is information, and so it is for objects that the cluster makes itself (Nodes, Events, Pods on a node, what a controller owns): they describe a cluster and are not applied.',
    source: {
      project: 'kubernetes',
      symbol: 'storage.ErrResourceVersionSetOnCreate, rest.FillObjectMetaSystemFields',
      fidelity: 'same',
    },
    url: 'https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions',
  },
  on: 'any',

  *check(target, context) {
    const { object, value } = target;
    if (object.kind === '' || object.apiVersion === '' || object.group === 'berth.dev') return;
    const metadata = record(value, 'metadata');
    if (metadata === undefined) return;
    const isRefused = setsVersion(metadata);
    const isApplied = !isMadeByCluster(target);
    const written = METADATA.filter(it => it.isSet(metadata)).map(it => FieldPath.of('metadata', it.field));
    if (written.length === 0 && value.status === undefined) return;
    const dropped = (answerFor(target, context)?.dropped ?? []).map(String);
    const fields = [...written, ...(dropped.includes('status') ? [STATUS] : [])];
    // One field that the server drops is reported by dropped/field.
    if (fields.length === 0 || (fields.length === 1 && dropped.includes(String(fields[0])))) return;
    yield {
      at: isRefused ? RESOURCE_VERSION : fields[0]!,
      part: 'key',
      facts: { fields, isRefused, isApplied },
      severity: isRefused && isApplied ? 'error' : 'info',
      unnecessary: true,
    };
  },

  message: ({ facts: { fields, isRefused, isApplied } }) => {
    const others = fields.filter(it => !isRefused || it !== fields[0]);
    const names = listed(others.map(String));
    const removal = !isApplied ? '' : fields.length === 1 ? t(': remove it') : t(': remove them');
    if (!isRefused) return t`only the server writes ${names}${removal}`;
    const refused = t('the server creates no object that has a metadata.resourceVersion');
    const rest = others.length === 0 ? '' : t`, and only the server writes ${names}`;
    return layered(`${refused}${rest}${removal}`, 'resourceVersion should not be set on objects to be created');
  },

  fixes: ({ facts: { fields } }, { object }, _context, edit) => {
    const edits = fields.map(at => edit.remove(object, at));
    const inOrder = edits.toSorted((a, b) => a.span.start - b.span.start);
    // Inside braces two neighbours share a comma.
    if (inOrder.some((it, i) => i > 0 && it.span.start < inOrder[i - 1]!.span.end)) return [];
    return [
      {
        title: fields.length === 1 ? t`Remove ${fields[0]}` : t('Remove the fields that only the server writes'),
        safety: 'safe',
        edits,
      },
    ];
  },
});

interface ServerField {
  readonly field: string;
  isSet(metadata: JsonObject): boolean;
}

const METADATA: readonly ServerField[] = [
  { field: 'resourceVersion', isSet: setsVersion },
  { field: 'uid', isSet: it => text(it, 'uid') !== '' },
  { field: 'selfLink', isSet: it => text(it, 'selfLink') !== '' },
  { field: 'creationTimestamp', isSet: it => !isZeroTime(text(it, 'creationTimestamp')) },
  { field: 'deletionTimestamp', isSet: it => has(it, 'deletionTimestamp') },
  { field: 'deletionGracePeriodSeconds', isSet: it => has(it, 'deletionGracePeriodSeconds') },
  { field: 'generation', isSet: it => int(it, 'generation') !== 0 },
  { field: 'managedFields', isSet: it => items(it, 'managedFields').length > 0 },
];

/** Whether the store sees a version other than 0. Upstream: storage.APIObjectVersioner.ObjectResourceVersion. */
function setsVersion(metadata: JsonObject): boolean {
  return /^\d+$/.test(text(metadata, 'resourceVersion')) && /[1-9]/.test(text(metadata, 'resourceVersion'));
}

/** Kinds whose objects kubelets and controllers make. */
const MADE_BY_CLUSTER: ReadonlySet<string> = new Set([
  'ControllerRevision',
  'CSINode',
  'CSIStorageCapacity',
  'Endpoints',
  'EndpointSlice',
  'Event',
  'Lease',
  'Node',
  'ResourceSlice',
  'VolumeAttachment',
]);

function isMadeByCluster({ object, value }: RuleTarget): boolean {
  if (MADE_BY_CLUSTER.has(object.kind)) return true;
  if (object.kind === 'Pod' && asText(fieldAt(value, 'spec', 'nodeName')) !== undefined) return true;
  return records(record(value, 'metadata'), 'ownerReferences').some(it => get(it, 'controller') === true);
}
