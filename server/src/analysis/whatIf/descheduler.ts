import type { UnknownObject } from '../../base/json';
import { type DeschedulerPolicy, isDeschedulerPolicy, withoutNulls } from '../../descheduler/policy';
import { type SettleResult, settle } from '../../descheduler/settle';
import { policyRefusals } from '../../descheduler/validate';
import { FieldPath } from '../../manifest/fieldPath';
import { type PlaceFile, parsedFiles } from '../placement/parsedFiles';
import type { ScenarioInputs } from '../placement/scenario';

export interface DescheduleOptions {
  /** The file of the DeschedulerPolicy. */
  readonly policy: PlaceFile;
  /** No more runs of the descheduler than this. */
  readonly maxRounds: number;
  /** Milliseconds since the epoch, from which the age of Pods is computed. */
  readonly now: number;
}

/** What a policy does to a cluster, or why it does nothing: a sentence each. */
export type Descheduling =
  | { readonly settling: SettleResult; readonly nodeCount: number; readonly unread: readonly string[] }
  | { readonly errors: readonly string[] };

/** Runs a DeschedulerPolicy on a scenario until no Pod is evicted any more, or until it is known that this never ends. */
export function deschedule(
  { objects, run, unread }: Pick<ScenarioInputs, 'objects' | 'run' | 'unread'>,
  { policy: file, maxRounds, now }: DescheduleOptions,
): Descheduling {
  const read = parsedFiles([file]);
  if (read.unread.length > 0) return { errors: read.unread };
  const policies = read.objects.filter(isDeschedulerPolicy);
  const [policy] = policies;
  if (policy === undefined)
    return { errors: [`${file.uri}: this holds no DeschedulerPolicy of descheduler/v1alpha2.`] };
  if (policies.length > 1) return { errors: [`${file.uri}: this holds several policies; the descheduler reads one.`] };
  const errors = policyErrors(policy);
  if (errors.length > 0) return { errors: errors.map(it => `${file.uri}: ${it}`) };
  const settling = settle(objects, withoutNulls(policy) as DeschedulerPolicy, { run, maxRounds, now });
  return { settling, nodeCount: objects.filter(it => it.kind === 'Node').length, unread };
}

/** Why the descheduler would not start with a policy, a sentence each. */
export function policyErrors(policy: UnknownObject): readonly string[] {
  return policyRefusals(policy).map(({ at, text, upstream }) => {
    const said = upstream === undefined ? text : `${text} (${upstream})`;
    return `${FieldPath.of(...at).toString()}: ${said}.`;
  });
}
