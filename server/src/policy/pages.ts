import type { PolicyEngine } from './result';

/** Where the policies of an engine come from, and who asks them in the cluster. */
const ENGINES: Readonly<Record<PolicyEngine, string>> = {
  vap: 'The ValidatingAdmissionPolicy or MutatingAdmissionPolicy of this name, among your manifests. The API server asks it when an object is created.',
  gatekeeper:
    'Constraints of this kind and their ConstraintTemplate, among your manifests. Gatekeeper asks them when an object is created.',
  conftest: 'The rule of this name in the Rego below a folder called `policy`, as `conftest test` asks it.',
  kyverno: 'The Kyverno policy of this name, among your manifests. Kyverno asks it when an object is created.',
  property: 'The rule of this name below `rules:` in berth.yaml.',
};

/** The page of a code that a policy of the workspace reports; undefined for every other code. */
export function policyPage(code: string): string | undefined {
  const slash = code.indexOf('/');
  const room = code.slice(0, slash);
  if (slash < 1 || slash === code.length - 1 || !Object.hasOwn(ENGINES, room)) return undefined;
  const about = ENGINES[room as PolicyEngine];
  return `# ${code}\n\nA policy of yours, not one of Berth's rules. ${about}\n\nWhat it means stands in the policy itself; its problems lead there.\n`;
}
