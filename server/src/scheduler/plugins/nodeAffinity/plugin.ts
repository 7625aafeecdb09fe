import { requiredNodeAffinity } from '../../../cluster/pods/requiredAffinity';
import { type NodeMatcher, nodeSelectorMatcher, preferredTerms } from '../../../kube/labelSelector';
import type { NodeAffinity, NodeSelectorTerm } from '../../../kube/types';
import type { PluginFactory } from '../../framework/interface';
import { defaultNormalize } from '../../framework/normalize';
import { definePlugin } from '../../framework/plugin';
import { signNodeAffinity } from '../../framework/signatures';
import { skip, success, unresolvable } from '../../framework/status';

type ScoreState = readonly ReturnType<typeof preferredTerms>[];

/** Upstream: pkg/scheduler/framework/plugins/nodeaffinity. */
export const nodeAffinity: PluginFactory = ({ args }) => {
  const added = args.addedAffinity as NodeAffinity | undefined;
  const required = added?.requiredDuringSchedulingIgnoredDuringExecution;
  const addedRequired = required && nodeSelectorMatcher(required);
  const addedPreferred = added?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return definePlugin<NodeMatcher, ScoreState>({
    name: 'NodeAffinity',
    shares: { dependsOn: 'node', sign: signNodeAffinity },

    preFilter(pod) {
      const own = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
      if (!own && !addedRequired && pod.spec.nodeSelector === undefined) return { status: skip };
      const answer = { status: success, state: requiredNodeAffinity(pod.spec) };
      const names = namesOfTerms(own?.nodeSelectorTerms ?? []);
      if (names === undefined) return answer;
      return names.size === 0
        ? { status: unresolvable('pod affinity terms conflict') }
        : { ...answer, nodeNames: names };
    },

    filter(matcher, _pod, { node }) {
      if (addedRequired && !addedRequired.matches(node)) {
        return unresolvable("node(s) didn't match scheduler-enforced node affinity");
      }
      return matcher.matches(node) ? success : unresolvable("node(s) didn't match Pod's node affinity/selector");
    },

    preScore(pod) {
      const own = pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
      if (own.length === 0 && addedPreferred.length === 0) return { status: skip };
      return { status: success, state: [preferredTerms(addedPreferred), preferredTerms(own)] };
    },

    score: (lists, _pod, { node }) => lists.reduce((sum, it) => sum + it.score(node), 0),

    normalizeScore: scores => defaultNormalize(scores, 'highIsGood'),
  });
};

/** The node names that the terms allow; undefined when some term does not name its nodes. */
function namesOfTerms(terms: readonly NodeSelectorTerm[]): ReadonlySet<string> | undefined {
  if (terms.length === 0) return undefined;
  const res = new Set<string>();
  for (const term of terms) {
    const fields = (term.matchFields ?? []).filter(it => it.key === 'metadata.name' && it.operator === 'In');
    const [first, ...rest] = fields;
    if (!first) return undefined;
    for (const name of first.values ?? []) if (rest.every(it => it.values?.includes(name))) res.add(name);
  }
  return res;
}
