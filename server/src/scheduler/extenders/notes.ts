import { t } from '../../base/l10n';
import type { Note } from '../../cluster/pods/note';
import type { PodModel } from '../../cluster/pods/podModel';
import type { Extender, ExtenderVerb } from '../framework/extender';
import { isInterested, verbsOf } from './extender';

/** How many Pod names a note lists. */
const MAX_NAMES = 5;

/** One sentence for each extender that was not called: the verbs, and the Pods concerned. */
export function unaskedNotes(
  extenders: readonly Extender[],
  calledVerbs: readonly ExtenderVerb[],
  pending: readonly PodModel[],
): readonly Note[] {
  return extenders.flatMap((it): readonly Note[] => {
    const verbs = verbsOf(it).filter(verb => !calledVerbs.includes(verb));
    const pods = pending.filter(pod => isInterested(it, pod)).map(pod => pod.id);
    if (verbs.length === 0 || (pods.length === 0 && pending.length > 0)) return [];
    const podsText =
      pods.length === pending.length
        ? t('every Pod')
        : t`the Pods with ${it.managedResources.map(of => of.name).join(', ')}`;
    const shown = pods.slice(0, MAX_NAMES).join(', ');
    const rest = pods.length - MAX_NAMES;
    const names = shown === '' ? '' : `: ${rest > 0 ? t`${shown} and ${rest} more` : shown}`;
    const failing = it.ignorable
      ? t('kube-scheduler goes on without it when it does not answer')
      : t('without its answer kube-scheduler places none of them');
    return [
      {
        message: t`Extender ${it.url} was not asked (${verbs.join(', ')}); it is asked about ${podsText + names}; ${failing}.`,
      },
    ];
  });
}
