import { asList, asObject, asText, type JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import { nearestNames } from '../../base/nearest';
import { quoted } from '../../base/quoted';
import { isTolerated } from '../../cluster/pods/tolerations';
import type { Taint, Toleration } from '../../kube/types';
import type { FieldPath } from '../../manifest/fieldPath';
import { fixOf } from '../edits/fix';
import type { PlacementFacts } from '../framework/placementFacts';
import { defineRule } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';
import { counted, listed } from './phrases';

interface Facts {
  readonly at: FieldPath;
  readonly toleration: Toleration;
  readonly nodes: number;
  /** The distinct taints of the nodes with this key. */
  readonly sameKey: readonly Taint[];
  readonly otherKeys: readonly string[];
}

export default defineRule<Facts>({
  meta: {
    code: 'placement/toleration-matches-no-taint',
    category: 'placement',
    severity: 'info',
    cost: 'placement',
    summary: 'A toleration matches no taint of any node.',
    why: 'It lets the Pod onto no node that it could not go to anyway. Most often the key, the value or the effect is not the one that the nodes have.',
    remedy: 'Write the key, value and effect of the taint that is meant, or remove the toleration.',
    details: [
      'Silent unless the nodes of the cluster are known, and silent about what comes and goes by itself: taints of',
      '`node.kubernetes.io` and `node.cloudprovider.kubernetes.io` those of the cluster autoscaler and those that end in `not-ready`, which controllers set,',
      'and a toleration without a key, which is for every taint there may be.',
    ].join('\n'),
    source: { project: 'kubernetes', symbol: 'Toleration.ToleratesTaint', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/',
  },
  on: 'podSpec',

  *check(target, { placement }) {
    const place = podSpecOf(target);
    const list = asList(place?.spec.tolerations);
    const facts = list.length > 0 ? placement?.(target.object) : undefined;
    if (place === undefined || facts === undefined) return;
    const at = place.at.child('tolerations');
    for (const [index, it] of list.entries()) {
      const toleration = read(it);
      if (toleration === undefined || comesAndGoes(toleration.key ?? '') || matchesAny(toleration, facts)) continue;
      const { nodes } = facts.cluster;
      yield {
        at: at.index(index),
        part: 'value',
        facts: {
          at: at.index(index),
          toleration,
          nodes: nodes.length,
          sameKey: facts.taintsByKey().get(toleration.key ?? '') ?? [],
          otherKeys: facts.taintKeys(),
        },
      };
    }
  },

  message: ({ facts: { toleration, nodes, sameKey, otherKeys } }) => {
    const all = t`of the ${counted(nodes, 'node')}`;
    if (sameKey.length > 0)
      return t`this toleration matches no taint ${all}: with key ${quoted(toleration.key ?? '')} there is ${listed(sameKey.map(shown))}`;
    const keys =
      otherKeys.length === 0 ? t('there are no taints') : t`the keys of their taints are ${listed(otherKeys)}`;
    return t`this toleration matches no taint ${all}: none has key ${quoted(toleration.key ?? '')}; ${keys}`;
  },

  fixes({ facts: { at, toleration, sameKey, otherKeys } }, { object }, _context, edit) {
    const set = (name: string, value: string) =>
      fixOf(
        { title: t`Change ${name} to ${value}`, safety: 'unsafe', at: at.child(name), change: { write: value } },
        object,
        edit,
      );
    const ofValue =
      toleration.operator === 'Exists' ? [] : sameKey.filter(it => it.value && fitsEffect(toleration, it));
    const ofEffect = sameKey.filter(it => !fitsEffect(toleration, it) && fitsValue(toleration, it));
    return [
      ...[...new Set(ofValue.map(it => it.value ?? ''))].map(it => set('value', it)),
      ...[...new Set(ofEffect.map(it => it.effect ?? ''))].map(it => set('effect', it)),
      ...nearestNames(toleration.key ?? '', otherKeys).map(it => set('key', it)),
      { title: t('Remove the toleration'), safety: 'unsafe', edits: [edit.remove(object, at)] },
    ];
  },
});

/** undefined for a toleration without a key or of an invalid shape. */
function read(value: JsonValue): Toleration | undefined {
  const it = asObject(value);
  const key = asText(it?.key);
  if (it === undefined || key === undefined) return undefined;
  const operator = asText(it.operator) ?? 'Equal';
  const effect = asText(it.effect);
  return { key, operator, ...(effect !== undefined && { effect }), value: asText(it.value) ?? '' };
}

const BY_CONTROLLERS =
  /^(?:node\.kubernetes\.io|node\.cloudprovider\.kubernetes\.io)\/|not-ready$|ClusterAutoscaler|^karpenter\.sh\//;

function comesAndGoes(key: string): boolean {
  return BY_CONTROLLERS.test(key);
}

/** A toleration with an empty key is for taints of all keys. */
function matchesAny(toleration: Toleration, { taintsByKey, comparison }: PlacementFacts): boolean {
  const { key = '' } = toleration;
  const taints = key === '' ? [...taintsByKey().values()].flat() : (taintsByKey().get(key) ?? []);
  return taints.some(it => isTolerated(it, [toleration], comparison));
}

const shown = ({ key = '', value, effect = '' }: Taint): string => `${key}${value ? `=${value}` : ''}:${effect}`;

const fitsEffect = ({ effect }: Toleration, taint: Taint): boolean => effect === undefined || effect === taint.effect;

const fitsValue = ({ operator, value }: Toleration, taint: Taint): boolean =>
  operator === 'Exists' || (value ?? '') === (taint.value ?? '');
