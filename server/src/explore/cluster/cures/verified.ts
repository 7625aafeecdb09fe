import type { UnknownObject } from '../../../base/json';
import type { Steps } from '../../../base/steps';
import { isDeschedulerPolicy } from '../../../descheduler/policy';
import { keyOfRef } from '../../../scheduler/whatIf/edits';
import type { ScenarioAnswer } from '../answer';
import type { SpaceLimits } from '../search';
import { candidatesFor } from './candidates';
import { type Cure, type CureInputs, curedBy } from './cure';

/** More changes are not tried for one trouble. */
const MOST_TRIED = 8;
/** More changes are not told. */
const MOST_TOLD = 3;

/** The answers to one question, and to those asked together with it, for other objects; undefined: more Pods wait there than before. */
export type AskAgain = (
  objects: readonly UnknownObject[],
  answer: ScenarioAnswer,
) => Steps<readonly ScenarioAnswer[] | undefined>;

/** The changes after which what was asked holds and drains still end that ended `before`, by exploring again with each. */
export function* verifiedCures(
  answer: ScenarioAnswer,
  before: readonly ScenarioAnswer[],
  inputs: CureInputs,
  again: AskAgain,
  { timeUsed }: Pick<SpaceLimits, 'timeUsed'>,
): Steps<readonly Cure[]> {
  const found: Cure[] = [];
  for (const cure of candidatesFor(answer, inputs).slice(0, MOST_TRIED)) {
    if (timeUsed() > 1 || found.length === MOST_TOLD) break;
    if (found.some(it => fieldsOf(it) === fieldsOf(cure))) continue;
    const answers = yield* again(curedBy(cure, inputs.objects), answer);
    const own = answers?.filter(it => isSame(it, answer));
    const drains = answers?.find(it => it.question === 'drain');
    const isWorse = drains?.holds === false && before.some(it => isSame(it, drains) && it.holds === true);
    // Nothing is asked of an autoscaler whose measure nothing changes any more.
    const isAsked = own !== undefined && (own.length > 0 || answer.question === 'autoscaling');
    if (!isAsked || isWorse || !own.every(it => it.holds === true)) continue;
    // A descheduler that never comes to rest leaves no state in which anything is to be found.
    const settled = cure.adds.some(isDeschedulerPolicy)
      ? yield* again(curedBy(cure, inputs.objects), { ...answer, question: 'settles' })
      : [];
    if (settled?.every(it => it.question !== 'settles' || it.holds === true)) found.push(cure);
    yield;
  }
  return found;
}

const isSame = (a: ScenarioAnswer, b: ScenarioAnswer): boolean => a.question === b.question && a.about === b.about;

/** Equal for cures that change the same fields; the first one that works is the smallest. */
function fieldsOf({ edits, adds, deletes }: Cure): string {
  return [
    ...edits.map(it => `${keyOfRef(it.object)} ${it.path.join('/')}`),
    adds.length,
    ...deletes.map(keyOfRef),
  ].join('|');
}
