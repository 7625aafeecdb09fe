import type { UpdateMode } from '../../descheduler/vpa/autoscaler';

/** What moves Pods that run. */
export type ReschedulerKind = 'descheduler' | 'vpa';

/** Something that moves Pods that run, let run for some rounds; those that left in the last one have just come again. */
export type Rescheduler = {
  readonly round: number;
  /** Milliseconds since the epoch, from which the age of Pods is computed. */
  readonly now: number;
} & (
  | {
      readonly kind: 'descheduler';
      /** Its place among the policies of the environment. */
      readonly policy: number;
    }
  | {
      readonly kind: 'vpa';
      /** NAMESPACE/NAME */
      readonly vpa: string;
      readonly mode: UpdateMode;
    }
);
