import { t } from '../../base/l10n';
import { foldedNames } from '../../text/foldedNames';
import type { EnvironmentPlacement } from '../placement/environmentPlacement';
import type { UnadmittedObject } from '../preview/refusedObjects';
import { nodesFit, placementInWords, refusalInWords, stuckInWords } from './placementWords';

/** Columns of a title, which stands in one line above the object; the hover and the preview say everything. */
const MOST = 60;
/** More names of nodes than fit here are counted. */
const MOST_NAMES = 30;

interface LensOf {
  readonly refusal?: UnadmittedObject | undefined;
  /** The overlay that renders the Pods; absent: nothing else renders them. */
  readonly overlay?: string | undefined;
}

/** Where Pods are placed, or that they are refused, short enough for one line. */
export function lensTitle(
  placement: EnvironmentPlacement,
  pods: readonly string[],
  { refusal, overlay }: LensOf = {},
): string {
  const prefix = overlayPrefix(overlay);
  if (refusal) return prefix + refusalInWords(refusal, pods.length);
  const isOne = pods.length === 1 && !placement.rejected.some(it => it.id === pods[0] && (it.more ?? 0) > 0);
  const where = placement.source.kind === 'default' ? t(' · example cluster') : '';
  const nodeName = foldedNames(placement.cluster.nodes.map(it => it.name));
  const said = (fits: typeof nodesFit): string =>
    placementInWords(placement, pods, {
      node: nodeName,
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
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), most - 20)).replace(/[ ,·:]+$/, '')}…`;
}
