import { asObject } from '../../../base/json';
import { t } from '../../../base/l10n';
import { printed } from '../../../base/printed';
import { dns1123SubdomainErrors } from '../../../kube/names';
import { FieldPath } from '../../../manifest/fieldPath';
import { fieldAt, valueAt } from '../../../manifest/valueAt';
import { scalarText } from '../../edits/yamlText';
import type { Fix } from '../../framework/problem';
import { rangesOf } from '../messages/networkReasons';
import { fieldOf } from '../messages/nouns';
import { portNumberOf } from '../messages/reasonWords';
import { changesTo, type FixableError } from './fieldChanges';

const SELECTOR_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** Reasons of FieldValueInvalid that have a fix, by the API server's text. */
const REASONS: readonly (readonly [RegExp, (fixable: FixableError) => readonly Fix[]])[] = [
  [/not a valid selector operator/, it => changesTo(SELECTOR_OPERATORS, it)],
  [/value must be empty when `operator` is 'Exists'/, it => [...removed('value', it)]],
  [
    /effect must be 'NoExecute' when `tolerationSeconds` is set/,
    it => [...set('effect', 'NoExecute', it), ...removed('tolerationSeconds', it)],
  ],
  [/operator must be Exists when `key` is empty/, it => set('operator', 'Exists', it)],
  [/`selector` does not match template `labels`/, labelsAsSelected],
  [/less than or equal to (\S+) limit/, requestToLimit],
  [
    /must be a relative path/,
    ({ error, ...it }) => replaced(printed(error.value).replace(/^\/+/, ''), { error, ...it }),
  ],
  [/must be an absolute path/, ({ error, ...it }) => replaced(`/${printed(error.value)}`, { error, ...it })],
  [/leading or trailing whitespace|padded with whitespace/, it => replaced(printed(it.error.value).trim(), it)],
  [/must match `containerPort` when `hostNetwork` is true/, hostPortAsContainers],
  [/^must be '([^']+)'(?: or '([^']+)')?$/, it => changesTo(wordsOf(it.error.detail), it)],
  [
    /only allowed for updateStrategy|`selector` not auto-generated|externally-accessible services|when `value` is not empty/,
    removedItself,
  ],
  [
    /^minAvailable and maxUnavailable cannot be both set/,
    it => [...removed('maxUnavailable', it), ...removed('minAvailable', it)],
  ],
  [/must be unique/, removedItem],
  [/must contain at least one letter \(a-z\)/, portWithoutQuotes],
  [/must match `ingressClassName` when both|not an IP address|needs to be unset/, removedItself],
  [/may not be specified when `port` is/, removedItself],
  [/cannot set both resource and service backends/, it => [...removed('resource', it), ...removed('service', it)]],
  [
    /cannot set both port name & port number/,
    it => ['name', 'number'].flatMap(field => removed(field, { ...it, at: it.at.child('service', 'port') })),
  ],
  [
    /must not have bits set beyond the prefix length/,
    it => rangesOf(printed(it.error.value)).flatMap(to => replaced(to, it)),
  ],
  [/^must be in canonical form \("(.+)"\)/, it => replaced(/"(.+)"/.exec(it.error.detail)?.[1] ?? '', it)],
  [/^has invalid value: /, it => changesTo(['Normal', 'Warning'], it)],
  [/^must be spec\.names\.plural/, namedByPlural],
  [/^may not be set if oldSelf is not used/, removedItself],
];

/** Fixes of an Invalid error whose reason has one or two possible solutions. */
export function fixesForReason(fixable: FixableError): readonly Fix[] {
  return REASONS.find(([pattern]) => pattern.test(fixable.error.detail))?.[1](fixable) ?? [];
}

/** The mapping that the error is about: the one at its path, or its parent. */
function mappingOf({ at, target }: FixableError): FieldPath {
  return asObject(valueAt(target.value, at)) === undefined ? (at.parent ?? at) : at;
}

function replaced(text: string, { at, target, edit }: FixableError): readonly Fix[] {
  const present = valueAt(target.value, at);
  if (text === '' || typeof present !== 'string' || present === text) return [];
  return [
    { title: t`Change to ${text}`, safety: 'unsafe', edits: [edit.replaceValue(target.object, at, scalarText(text))] },
  ];
}

function portWithoutQuotes({ error, at, target, edit }: FixableError): readonly Fix[] {
  const number = portNumberOf(error);
  if (number === undefined || valueAt(target.value, at) !== number) return [];
  return [{ title: t('Take away the quotes'), safety: 'safe', edits: [edit.replaceValue(target.object, at, number)] }];
}

function removed(name: string, fixable: FixableError): readonly Fix[] {
  const at = mappingOf(fixable).child(name);
  const { object } = fixable.target;
  if (!object.manifest.has(at)) return [];
  return [{ title: t`Remove ${name}`, safety: 'unsafe', edits: [fixable.edit.remove(object, at)] }];
}

function set(name: string, word: string, fixable: FixableError): readonly Fix[] {
  const at = mappingOf(fixable).child(name);
  const { object } = fixable.target;
  const edit = object.manifest.has(at)
    ? fixable.edit.replaceValue(object, at, word)
    : fixable.edit.write(object, at, word);
  return [{ title: t`Set ${name} to ${word}`, safety: 'unsafe', edits: [edit] }];
}

/** The only name that a CustomResourceDefinition can have. */
function namedByPlural(fixable: FixableError): readonly Fix[] {
  const { spec } = fixable.target.value;
  const [plural, group] = [fieldAt(spec, 'names', 'plural'), fieldAt(spec, 'group')];
  const name = `${printed(plural)}.${printed(group)}`;
  return dns1123SubdomainErrors(name).length === 0 ? replaced(name, fixable) : [];
}

function removedItself({ at, target, edit }: FixableError): readonly Fix[] {
  return [{ title: t`Remove ${fieldOf(at)}`, safety: 'unsafe', edits: [edit.remove(target.object, at)] }];
}

/** The words in single quotes in a detail such as `must be 'A' or 'B'`. */
function wordsOf(detail: string): readonly string[] {
  return [...detail.matchAll(/'([^']+)'/g)].map(it => it[1] ?? '');
}

/** Copies the labels that the selector requires to the template. */
function labelsAsSelected({ target, edit }: FixableError): readonly Fix[] {
  const selector = asObject(fieldAt(target.value, 'spec', 'selector'));
  const isPlain = target.object.kind === 'ReplicationController';
  const wanted = isPlain ? selector : asObject(selector?.matchLabels);
  const labels = asObject(fieldAt(target.value, 'spec', 'template', 'metadata', 'labels')) ?? {};
  const differing = Object.entries(wanted ?? {}).filter(([key, value]) => labels[key] !== value);
  const [first, ...others] = differing;
  if (first === undefined || others.length > 0) return [];
  const [key, value] = first;
  const at = FieldPath.of('spec', 'template', 'metadata', 'labels', key);
  const change = Object.hasOwn(labels, key)
    ? edit.replaceValue(target.object, at, printed(value))
    : edit.write(target.object, at, value);
  return [{ title: t`Give the template the label ${key}: ${printed(value)}`, safety: 'unsafe', edits: [change] }];
}

/** Two fixes for a request above its limit. */
function requestToLimit({ at, target, edit }: FixableError): readonly Fix[] {
  const [resource, list] = [at.segments.at(-1), at.segments.at(-2)];
  const resources = at.parent?.parent;
  if (list !== 'requests' || resources === undefined || resource === undefined) return [];
  const limitAt = FieldPath.of(...resources.segments, 'limits', resource);
  const [request, limit] = [valueAt(target.value, at), valueAt(target.value, limitAt)];
  if (request === undefined || limit === undefined || printed(limit).startsWith('-')) return [];
  return [
    {
      title: t`Lower the request to ${printed(limit)}`,
      safety: 'unsafe',
      edits: [edit.replaceValue(target.object, at, printed(limit))],
    },
    {
      title: t`Raise the limit to ${printed(request)}`,
      safety: 'unsafe',
      edits: [edit.replaceValue(target.object, limitAt, printed(request))],
    },
  ];
}

function hostPortAsContainers(fixable: FixableError): readonly Fix[] {
  const { at, target, edit } = fixable;
  const port = asObject(valueAt(target.value, mappingOf(fixable)));
  const containerPort = port?.containerPort;
  if (containerPort === undefined || at.segments.at(-1) !== 'hostPort') return [];
  const change = edit.replaceValue(target.object, at, printed(containerPort));
  return [{ title: t`Set hostPort to ${printed(containerPort)}`, safety: 'unsafe', edits: [change] }];
}

function removedItem({ at, target, edit }: FixableError): readonly Fix[] {
  const item = typeof at.segments.at(-1) === 'number' ? at : at.parent;
  if (item === undefined || typeof item.segments.at(-1) !== 'number') return [];
  return [{ title: t('Remove the repeated entry'), safety: 'unsafe', edits: [edit.remove(target.object, item)] }];
}
