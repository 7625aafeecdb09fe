import { asList, asObject, asText, type JsonObject, type JsonValue } from '../../../base/json';
import { t } from '../../../base/l10n';
import type { Schema } from '../../../kube/kube';
import { FieldPath } from '../../../manifest/fieldPath';
import { fieldAt, valueAt } from '../../../manifest/valueAt';
import type { Fix } from '../../framework/problem';
import type { RuleTarget } from '../../framework/rule';
import { fieldOf } from '../messages/nouns';
import { choicesOf } from '../messages/sentences';
import { changesTo, type FixableError } from './fieldChanges';
import { itemNames } from './itemNames';

/** Fixes that set a required field; none without a sensible value. */
export function requiredFieldFixes(fixable: FixableError): readonly Fix[] {
  const { error, at, target, edit } = fixable;
  const { object } = target;
  if (error.detail.startsWith('valid values: ')) return changesTo(choicesOf(error.detail), fixable);
  if (!startsAtField(at)) return [];
  const suggested = suggestedValue(fixable);
  if (suggested === undefined) return [];
  const { value, isOnlyOne } = suggested;
  const isEmptyText = valueAt(target.value, at) === '';
  const shown = typeof value === 'object' ? '' : `: ${String(value)}`;
  return [
    {
      title: isEmptyText ? t`Change to ${String(value)}` : t`Add ${fieldOf(at)}${shown}`,
      safety: isOnlyOne ? 'safe' : 'unsafe',
      edits: [edit.write(object, at, value)],
    },
  ];
}

/** A missing field can be added. A missing list item cannot, since its content is unknown. */
function startsAtField(at: FieldPath): boolean {
  return at.segments.length > 0 && typeof at.segments.at(-1) !== 'number';
}

interface SuggestedValue {
  readonly value: JsonValue;
  /** Whether the rest of the object allows no other value. */
  readonly isOnlyOne: boolean;
}

type Suggest = (fixable: FixableError) => SuggestedValue | undefined;

const example = (value: JsonValue): Suggest => {
  const filling = { value, isOnlyOne: false };
  return () => filling;
};

const container: JsonObject = { name: 'main', image: 'registry.k8s.io/pause:3.10' };

/** The end of a path without indexes → its value; the first that matches. Examples are valid values, not defaults. */
const SUGGESTIONS: readonly (readonly [RegExp, Suggest])[] = [
  [/^metadata\.name$/, nameOfObject],
  [/(^|\.)template\.spec\.containers$|^spec\.containers$/, example([container])],
  [/ontainers\.name$/, nameOfContainer],
  [/ontainers\.image$/, example('registry.k8s.io/pause:3.10')],
  [/volumes\.name$/, nameOfItem('volumes', 'volume')],
  [/ports\.name$/, nameOfItem('ports', 'port')],
  [/volume(Mounts|Devices)\.name$/, onlyVolume],
  [/volumeMounts\.mountPath$/, ({ at, target }) => pathFor('/mnt', at, target)],
  [/volumeDevices\.devicePath$/, ({ at, target }) => pathFor('/dev', at, target)],
  [/ports\.(containerPort|port)$/, example(80)],
  [/httpGet\.port$|tcpSocket\.port$/, example(80)],
  [/topologyKey$/, example('kubernetes.io/hostname')],
  [/topologySpreadConstraints\.maxSkew$/, example(1)],
  [/topologySpreadConstraints\.whenUnsatisfiable$/, example('DoNotSchedule')],
  [/accessModes$/, example(['ReadWriteOnce'])],
  [/resources\.storage$|resources\.requests\.storage$/, example('1Gi')],
  [/^spec\.capacity$/, example({ storage: '1Gi' })],
  [/^spec\.selector$/, selectorOfTemplate],
  [/^spec\.template\.metadata\.labels$/, labelsOfSelector],
  [/^provisioner$/, example('kubernetes.io/no-provisioner')],
  [/^spec\.schedule$/, example('0 * * * *')],
  [/seccompProfile\.type$|appArmorProfile\.type$/, example('RuntimeDefault')],
  [/hostPath\.path$/, example('/var/lib/data')],
  [/os\.name$/, example('linux')],
  [/exec\.command$/, example(['true'])],
  [/fieldRef\.fieldPath$/, example('metadata.name')],
  [/resources\.limits\.(nvidia\.com\/gpu)$/, example(1)],
  [/gang\.minCount$/, example(1)],
  [/spec\.schedulingPolicy$/, example({ basic: {} })],
  [/maxReplicas$/, example(10)],
  [/paths\.pathType$/, example('Prefix')],
  [/^rules\.verbs$/, example(['get', 'list', 'watch'])],
  [/^rules\.apiGroups$/, example([''])],
  [/^subjects\.namespace$|^spec\.parameters\.namespace$/, example('default')],
  [/^addressType$/, example('IPv4')],
];

function suggestedValue(fixable: FixableError): SuggestedValue | undefined {
  const { at, target } = fixable;
  const pattern = at.segments
    .filter(it => typeof it !== 'number')
    .map(it => (typeof it === 'object' ? it.key : it))
    .join('.');
  const known = SUGGESTIONS.find(([end]) => end.test(pattern))?.[1](fixable);
  return known ?? onlyWord(target.kind?.schema, at);
}

/** A field with a single supported value gets that value. */
function onlyWord(schema: Schema | undefined, at: FieldPath): SuggestedValue | undefined {
  const found = at.segments.reduce<Schema | undefined>((it, segment) => {
    if (it?.type === 'list' && typeof segment === 'number') return it.items;
    if (it?.type === 'map') return it.values;
    return it?.type === 'object' && typeof segment === 'string' ? it.fields.get(segment)?.schema : undefined;
  }, schema);
  const [only, ...others] = found?.type === 'string' ? (found.enum ?? []).filter(it => it !== '') : [];
  return only === undefined ? undefined : { value: only, isOnlyOne: others.length === 0 };
}

/** The kind in lower case, or the file's name if it says more. */
function nameOfObject({ target: { object } }: FixableError): SuggestedValue {
  return { value: object.kind.toLowerCase(), isOnlyOne: false };
}

function nameOfContainer({ at, target }: FixableError): SuggestedValue {
  const item = asObject(valueAt(target.value, at.parent ?? at));
  const image = asText(item?.image) ?? '';
  const base = (image.split('/').at(-1) ?? '').split(/[:@]/)[0] ?? '';
  const name = base
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return { value: unused(name === '' ? 'main' : name, at, target), isOnlyOne: false };
}

function nameOfItem(_list: string, name: string): Suggest {
  return ({ at, target }) => ({ value: unused(name, at, target), isOnlyOne: false });
}

/** The name, with a number added if an item of the list has it already. */
function unused(name: string, at: FieldPath, target: RuleTarget): string {
  const list = at.parent?.parent;
  const names = itemNames(list === undefined ? [] : asList(valueAt(target.value, list)));
  let free = name;
  for (let i = 2; names.has(free); i++) free = `${name}-${i}`;
  return free;
}

/** The path of the PodSpec that contains a container's field. */
export function podSpecAbove(at: FieldPath): FieldPath | undefined {
  const i = at.segments.findIndex(it => typeof it === 'string' && /^(c|initC|ephemeralC)ontainers$/.test(it));
  return i < 0 ? undefined : FieldPath.of(...at.segments.slice(0, i));
}

function onlyVolume({ at, target }: FixableError): SuggestedValue | undefined {
  const spec = podSpecAbove(at);
  const volumes = spec && asList(fieldAt(valueAt(target.value, spec), 'volumes'));
  const [only, ...others] = (volumes ?? []).flatMap(it => asText(asObject(it)?.name) ?? []);
  return only === undefined || others.length > 0 ? undefined : { value: only, isOnlyOne: true };
}

function pathFor(folder: string, at: FieldPath, target: RuleTarget): SuggestedValue {
  const item = asObject(valueAt(target.value, at.parent ?? at));
  return { value: `${folder}/${asText(item?.name) ?? 'data'}`, isOnlyOne: false };
}

function selectorOfTemplate({ target }: FixableError): SuggestedValue | undefined {
  const labels = asObject(fieldAt(target.value, 'spec', 'template', 'metadata', 'labels'));
  if (labels === undefined || Object.keys(labels).length === 0) return undefined;
  const isPlain = target.object.kind === 'ReplicationController';
  return { value: isPlain ? labels : { matchLabels: labels }, isOnlyOne: true };
}

function labelsOfSelector({ target }: FixableError): SuggestedValue | undefined {
  const selector = asObject(fieldAt(target.value, 'spec', 'selector'));
  const labels = target.object.kind === 'ReplicationController' ? selector : asObject(selector?.matchLabels);
  return labels === undefined ? undefined : { value: labels, isOnlyOne: true };
}
