import { t } from '../../base/l10n';
import type { Layers } from '../framework/layers';
import { defineRule } from '../framework/rule';
import { listed, nameLocation } from './phrases';

interface Facts {
  readonly isPod: boolean;
  readonly refused: number;
  readonly made: number;
  readonly message: string;
}

/** The reference rules report a class that no file defines; they know whether it may be in the cluster. */
const MISSING_CLASS = /no PriorityClass with name .* was found|RuntimeClass ".*" not found/;

export default defineRule<Facts>({
  meta: {
    code: 'placement/not-admitted',
    category: 'placement',
    severity: 'warning',
    cost: 'placement',
    summary: 'Admission refuses a Pod, or Pods of a workload.',
    why: 'A workload is taken by the server, and then its controller meets the refusal at each Pod: there are fewer than were asked for, or none. Only events of the controller tell.',
    remedy: 'Change what the text names: the requests, the quota or limit of the namespace, or the policy.',
    details: [
      'Pods meet in turn the built-in plugins (LimitRanger, ResourceQuota, PodTolerationRestriction, …) and the policies of the workspace, those that change them and those that refuse them.',
      'Compared are 20 LimitRanges of a namespace that differ, and 50 different scopes of its quotas; a note of the placement says how many are left out.',
      'Silent unless the nodes of the cluster are known, and where a class is missing, of which the rules of references tell.',
    ].join('\n'),
    source: { project: 'kubernetes', symbol: 'plugin/pkg/admission', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/',
  },
  on: 'podSpec',

  *check({ object }, { placement }) {
    const facts = placement?.(object);
    const refusal = facts?.refusalOf(object);
    if (facts === undefined || refusal === undefined || MISSING_CLASS.test(refusal.message)) return;
    // The policy says so itself at a Pod that is written.
    if (object.kind === 'Pod' && refusal.isByPolicy) return;
    const made = facts.podsOf(object).length;
    yield {
      at: nameLocation(object),
      part: 'value',
      facts: { isPod: object.kind === 'Pod', made, refused: refusal.pods, message: refusal.message },
    };
  },

  message({ facts: { isPod, refused, made, message } }) {
    if (isPod) return notAdmitted(t('this Pod is not admitted'), message);
    const all = refused + made;
    const who =
      all === 1
        ? t('its Pod is not admitted')
        : made === 0
          ? t`none of the ${all} Pods is admitted`
          : refused === 1
            ? t`1 of ${all} Pods is not admitted`
            : t`${refused} of ${all} Pods are not admitted`;
    return notAdmitted(who, message);
  },
});

/** Controllers write before it what they tried: `Error creating: pods "a" is forbidden: exceeded quota: …`. */
export function notAdmitted(who: string, text: string): Layers {
  const reason = /\bis (?:forbidden|invalid): (.+)$/s.exec(text)?.[1] ?? text;
  return { headline: `${who}: ${overQuota(reason) ?? firstError(reason)}`, detail: text, message: `${who}: ${text}` };
}

/** The first of several errors of fields, without the value that is written there. */
function firstError(reason: string): string {
  const [first = ''] = (/^\[(spec\..*)\]$/s.exec(reason)?.[1] ?? reason).split(/, (?=spec\.)/);
  return first.replace(/^(spec\.\S+): Invalid value: .*?: (?=must be )/s, '$1 ');
}

/**
 * The quota that is exceeded, and the resources that exceed it: the server lists these alone. Upstream: `CheckRequest` of
 * `resourcequota/controller.go`. undefined for another reason.
 */
function overQuota(reason: string): string | undefined {
  const [, quota, requested] = /^exceeded quota: (\S+), requested: (\S+), used: /.exec(reason) ?? [];
  if (quota === undefined || requested === undefined) return undefined;
  const resources = requested.split(',').map(it => it.replace(/=.*$/, ''));
  return t`over quota "${quota}" in ${listed(resources)}`;
}
