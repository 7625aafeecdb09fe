import { t } from '../base/l10n';
import type { PolicyEngineName } from './result';

/** Where the policies of an engine come from, and what evaluates them in the cluster. */
const ENGINES: Readonly<Record<PolicyEngineName, string>> = {
  vap: 'The ValidatingAdmissionPolicy or MutatingAdmissionPolicy of this name, among your manifests. The API server asks it when an object is created.',
  gatekeeper:
    'Constraints of this kind and their ConstraintTemplate, among your manifests. Gatekeeper asks them when an object is created.',
  conftest:
    'The rule of this name in the Rego below a folder called `policy`, or where a conftest.toml or berth.yaml says, as `conftest test` asks it.',
  kyverno: 'The Kyverno policy of this name, among your manifests. Kyverno asks it when an object is created.',
  property: 'The rule of this name below `rules:` in berth.yaml.',
};

/** Codes that Berth itself reports about Conftest's policies. */
const OF_CONFTEST: Readonly<Record<string, string>> = {
  configuration: 'What is written in conftest.toml cannot be, or has no effect here.',
  'unseen-document':
    'Conftest splits files at lines that are `---` and nothing else, and reads the first document of each part. What stands behind `--- # comment` it never sees, so that no policy protects it. Move the comment to a line of its own.',
  'reads-files':
    'A policy calls `parse_config_file` or `parse_combined_config_files` for a file that is no YAML or JSON of the workspace. Policies may read no other files here, so that for them it does not exist.',
  'rego-v0':
    'The Rego compiles only as version 0 of the language, of which Conftest needs to be told: `rego-version = "v0"` in conftest.toml.',
  rego_parse_error: 'The text is no Rego, so that no rule of its folder is asked.',
  rego_compile_error: 'The Rego does not compile, so that no rule of its folder is asked.',
  rego_type_error: 'The Rego does not compile, so that no rule of its folder is asked.',
  rego_unsafe_var_error: 'The Rego does not compile, so that no rule of its folder is asked.',
};

/** Codes that Berth itself reports about Kyverno's policies, and for its own bugs. */
const OF_KYVERNO: Readonly<Record<string, string>> = {
  'policy-refused': "Kyverno's own webhook would refuse the policy, so that no cluster has it.",
  'policy-ineffective': 'Kyverno takes what is written here, and ignores it.',
  'policy-undecided':
    'What is written here asks a cluster, a registry or the network, which Berth does not. A rule that comes to it says nothing about the object in hand.',
  'policy-unchecked':
    'Berth has a bug, so that mistakes in this rule may not be told. Everything else is. Please report it with the policy.',
  'not-judged':
    'Berth has a bug, so that no Kyverno policy was asked about this object. All others are judged. Please report it with the object.',
};

/** Codes that Berth itself reports, each with its page’s text. */
export const OF_BERTH: Partial<Record<PolicyEngineName, Readonly<Record<string, string>>>> = {
  conftest: OF_CONFTEST,
  kyverno: OF_KYVERNO,
};

/** The documentation page of a policy's code; undefined for every other code. */
export function policyPage(code: string): string | undefined {
  const slash = code.indexOf('/');
  const room = code.slice(0, slash);
  if (slash < 1 || slash === code.length - 1 || !Object.hasOwn(ENGINES, room)) return undefined;
  const name = code.slice(slash + 1);
  const engine = room as PolicyEngineName;
  const ofBerth = OF_BERTH[engine] ?? {};
  if (Object.hasOwn(ofBerth, name)) return `# ${code}\n\n${t(ofBerth[name] ?? '')}\n`;
  const parts = [
    `# ${code}`,
    t`A policy of yours, not one of Berth's rules. ${t(ENGINES[engine])}`,
    t(
      'Its message is the policy’s own. Change the object as the message says, or the policy, to which each problem leads.',
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}
