import { t } from '../../base/l10n';
import type { EnvironmentPlacement } from '../placement/environmentPlacement';
import type { UnadmittedObject } from '../placement/refusedObjects';
import { nodesFit, placementInWords, refusalInWords, stuckInWords } from './placementWords';

/** Columns of a title, which stands in one line above the object; the hover and the preview say everything. */
const MOST = 60;
/** More names of nodes than fit here are counted. */
const MOST_NAMES = 30;

/**
 * That the API server refuses what makes Pods, short enough for one line, with what is wrong first: a Pod that is being typed
 * often lacks a field only.
 * @param overlay Of what is rendered; absent: nothing else renders the Pods.
 */
export function refusedTitle(refusal: UnadmittedObject, pods: number, overlay?: string): string {
  const { by, headline = '' } = refusal;
  const prefix = overlayPrefix(overlay);
  if (by === 'podSecurity') return prefix + refusalInWords(refusal, pods);
  // What to do is told by the problem.
  const reason = headline.replace(/: [^:]*$/, '');
  return prefix + shortened(t`refused by the API server: ${reason}`, MOST - prefix.length);
}

/** Where Pods are placed, short enough for one line. */
export function lensTitle(placement: EnvironmentPlacement, pods: readonly string[], overlay?: string): string {
  const prefix = overlayPrefix(overlay);
  const isOne = pods.length === 1 && !placement.rejected.some(it => it.id === pods[0] && (it.more ?? 0) > 0);
  const where = placement.source.kind === 'default' ? t(' · example cluster') : '';
  const said = (fits: typeof nodesFit): string =>
    placementInWords(placement, pods, {
      node: placement.shortNameOf,
      nodes: list => (list.join(', ').length <= MOST_NAMES ? list.join(', ') : t`${list.length} nodes`),
      nodesOfSome: () => '',
      reason: briefReason,
      // Behind "0 of 3 Pods land" the reason alone is understood.
      stuck: (why, reason) => (isOne ? stuckInWords(why, reason) : reason),
      fits,
    });
  const most = MOST - prefix.length - where.length;
  const text = said(nodesFit);
  // How many nodes fit matters less than where the Pod lands.
  return (
    prefix +
    (text.length <= most
      ? text
      : shortened(
          said(() => ''),
          most,
        )) +
    where
  );
}

/** What stands before a title of one overlay. */
export const overlayPrefix = (overlay: string | undefined): string =>
  overlay === undefined ? '' : t`overlay ${overlay}: `;

/** What upstream says of nodes that do not fit, without what it says of preemption. */
function briefReason(message: string): string {
  const [, rest] = /^\d+\/\d+ nodes are available: (.*)$/s.exec(message) ?? [];
  if (rest === undefined)
    return message
      .replace(
        /^(?:Error creating: |Create Pod .* failed error: )?(?:pods|Pod) "[^"]*" is (?:forbidden|invalid): /i,
        '',
      )
      .replace(/^(exceeded quota: [^,]+), .*$/s, '$1');
  const [reasons = ''] = rest.split(/\. (?:preemption: |no new claims)/);
  return reasons.replace(/\.$/, '').replaceAll(/(\d+) node\(s\) /g, '$1 ');
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), most - 20)).replace(/(?<![ ,·:])[ ,·:]+$/, '')}…`;
}
