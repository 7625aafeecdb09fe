import { lazy } from '../../base/lazy';

/** Which program has the issue: its version decides. Those of nodes follow the versions of the nodes where these are known. */
export const COMPONENTS = [
  'kube-apiserver',
  'kube-scheduler',
  'kube-controller-manager',
  'kubelet',
  'kube-proxy',
] as const;
export type Component = (typeof COMPONENTS)[number];

export const HARMS = ['critical', 'high', 'medium', 'low'] as const;
export const CERTAINTIES = ['exact', 'partial'] as const;

/** When an issue is met, and at which fields: what is needed to look for it. */
export interface IssueCheck {
  readonly id: string;
  readonly component: Component;
  /** Kinds of Kubernetes (`Service`), of other groups (`kubelet.config.k8s.io/KubeletConfiguration`); `podSpec` is each with one. */
  readonly kinds: readonly string[];
  /** Affected releases: `<1.34.4`, `>=1.35.0 <1.35.1`, `*`. */
  readonly versions: readonly string[];
  /** Gates without which nobody meets it. */
  readonly gates?: readonly string[];
  /** Gates that must be off. */
  readonly gatesOff?: readonly string[];
  readonly harm: (typeof HARMS)[number];
  /** partial: it depends on something that is not written, see `assumes`. */
  readonly certainty: (typeof CERTAINTIES)[number];
  /** The values to look at, each `self` of the condition: `pod.{containers,initContainers}[*].env[*]`, `object.spec`. */
  readonly at: string | readonly string[];
  /** Fields below such a value without which it is not met, as in `mark`; a cheap test before the condition. */
  readonly has?: readonly string[];
  /** Fields below such a value of which it has one at least; cheap, too. */
  readonly hasAny?: readonly string[];
  /** A part of such a value, which is a string, without which it is not met; a cheap test, too. */
  readonly includes?: string;
  /** The length that such a value, which is a string, has more than; a cheap test, too. */
  readonly longerThan?: number;
  /** The field below such a value that is underlined, which need not be there: `valueFrom`. */
  readonly mark?: string;
  /** Fields of the object without which it is not met, in the words of `at`. */
  readonly needs?: readonly string[];
  /** Objects of the workspace by a name, for `found.NAME` of the condition; null where there is none. */
  readonly lookup?: Readonly<Record<string, IssueLookup>>;
  /** CEL over `object`, `pod`, `self` and `found`; each value of `at` meets the issue where it is absent. */
  readonly when?: string;
  /** A function of `functions/table.ts` in place of CEL that cannot say it. */
  readonly function?: string;
}

/** An object in the namespace of the one that is checked. */
export interface IssueLookup {
  readonly kind: string;
  readonly group?: string;
  /** CEL that gives its name. */
  readonly name: string;
}

/** What is said about an issue. */
export interface IssueText {
  readonly id: string;
  /** One sentence, for lists. */
  readonly title: string;
  /** A clause: what happens. */
  readonly text: string;
  /** A clause: what to change or where to upgrade. */
  readonly advice: string;
  /** Of a partial one, a clause after "if": what it takes for granted. */
  readonly assumes?: string;
  /** `kubernetes/kubernetes#136323`, or an address. */
  readonly links: readonly string[];
}

/** A known issue of Kubernetes: one file of `entries`. */
export interface KnownIssue extends IssueCheck, IssueText {}

// Both are data that few runs need; `require` makes the bundle evaluate them when they are first asked for.
export const issueChecks = lazy((): readonly IssueCheck[] => require('./checks.json'));
const texts = lazy(
  (): ReadonlyMap<string, IssueText> =>
    new Map((require('./texts.json') as readonly IssueText[]).map(it => [it.id, it])),
);

/** Throws if there is no such issue. */
export function issueText(id: string): IssueText {
  const text = texts().get(id);
  if (text === undefined) throw new Error(`there is no known issue ${id}`);
  return text;
}
