/** What is said of one manifest. Errors are `TYPE PATH`, or the complaints of decoding. */
export interface Judgement {
  readonly answer: 'accepted' | 'undecodable' | 'invalid';
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}
/** Where one Pod is, or why it waits; of a prediction also the nodes of equal score and the Pods that it evicts. */
export interface Outcome {
  readonly node?: string;
  readonly waits?: string;
  readonly ties?: readonly string[];
  readonly victims?: readonly string[];
}
/** What one step came to. `tie`: kube-scheduler took another one of what Berth calls equal. */
export interface Decision {
  readonly step: string;
  readonly title: string;
  readonly predicted: readonly Outcome[];
  readonly real: readonly Outcome[];
  readonly evicted: readonly string[];
  readonly verdict: 'equal' | 'tie' | 'different';
}
export function judgementOf(
  problems: readonly {
    readonly category: string;
    readonly message: string;
    readonly errorType?: string;
    readonly fieldPath?: string;
  }[],
): Judgement;
export function realJudgement(status: number, body: unknown, warnings: readonly string[]): Judgement | undefined;
export function isSameAnswer(predicted: Judgement, real: Judgement): boolean;
export function isSameDecision(compared: Pick<Decision, 'predicted' | 'real' | 'evicted'>): boolean;
