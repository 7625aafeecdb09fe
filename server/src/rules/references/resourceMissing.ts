import type { JsonObject } from '../../base/json';
import { ownOf } from '../../base/ownOf';
import { has, record, records, texts } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule, type RuleTarget } from '../framework/rule';
import { resourceNames } from '../reading/apiNames';
import type { GroupedNames, NamePurpose } from '../reading/groupedNames';
import { meantSubresource } from '../reading/subresources';
import { groupedNamesRule } from './groupedNamesRule';

const ROLES = ['Role', 'ClusterRole'];
const WEBHOOKS = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'];
const POLICIES = ['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy'];
const BINDINGS = ['ValidatingAdmissionPolicyBinding', 'MutatingAdmissionPolicyBinding'];
const OF_KYVERNO = [
  'ValidatingPolicy',
  'MutatingPolicy',
  'GeneratingPolicy',
  'DeletingPolicy',
  'ImageValidatingPolicy',
];
const KYVERNO_POLICIES = OF_KYVERNO.flatMap(it => [it, `Namespaced${it}`]);

/** What authorizers ask about, and no API serves: who is impersonated, and whose certificates are signed. */
const VIRTUAL: Readonly<Record<string, readonly string[]>> = {
  '': ['users', 'groups'],
  'authentication.k8s.io': ['users', 'groups', 'serviceaccounts', 'uids', 'userextras', 'nodes'],
  'certificates.k8s.io': ['signers'],
};

export default defineRule(
  groupedNamesRule({
    meta: {
      code: 'references/resource-missing',
      category: 'reference',
      severity: 'warning',
      cost: 'typing',
      summary:
        'A role, an admission policy, a webhook, a FlowSchema or a quota names a resource that its API group does not have.',
      why: 'The API server takes any words there and compares them with those of each request. What is not the name of a resource, in lower case and plural as `pods`, in its own group and version, equals no request: the role gives no right, the policy or the webhook is never asked, the FlowSchema matches nothing, and the quota counts nothing.',
      remedy: 'Write the name and the API group that `kubectl api-resources` prints.',
      details:
        'Each name may be of each group beside it, so only what is in none of them is reported. Of groups of Kubernetes itself all names are known; of others only what CustomResourceDefinitions among the manifests define, and of these only another word for one of them is reported, such as the kind. Roles and webhooks for several releases are left alone: names of a later minor, and those of an earlier one that this minor has under another name, if that is named, too. In a role `pods/*` is no pattern, though it is one in a webhook: subresources are named one by one, or as `*/scale` for all resources. Of a subresource only what looks like another one is reported: `pods/logs`, `deployments/scales`.',
      source: {
        project: 'kubernetes',
        symbol: 'rbac/v1.ResourceMatches, webhook/predicates/rules.Matcher',
        fidelity: 'same',
      },
      url: 'https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources',
    },
    on: [...ROLES, 'FlowSchema', 'ResourceQuota', ...WEBHOOKS, ...POLICIES, ...BINDINGS, ...KYVERNO_POLICIES],
    noun: 'resource',
    namesOf: resourceNames,
    read: rulesIn,
    meantPart: meantSubresource,
    isVirtual: (group, name) => ownOf(VIRTUAL, group)?.includes(name) === true,
  }),
);

function rulesIn({ object: { group, kind }, value }: RuleTarget): readonly GroupedNames[] {
  if (group === 'rbac.authorization.k8s.io' && ROLES.includes(kind))
    return rulesAt(value, FieldPath.of('rules'), 'rights');
  const spec = record(value, 'spec');
  if (group === '' && kind === 'ResourceQuota') return countsIn(spec);
  if (group === 'flowcontrol.apiserver.k8s.io')
    return records(spec, 'rules').flatMap((it, i) =>
      rulesAt(it, FieldPath.of('spec', 'rules').index(i).child('resourceRules'), 'matching'),
    );
  if (group === 'policies.kyverno.io' && KYVERNO_POLICIES.includes(kind)) return matchedIn(spec, 'matchConstraints');
  if (group !== 'admissionregistration.k8s.io') return [];
  if (POLICIES.includes(kind)) return matchedIn(spec, 'matchConstraints');
  if (BINDINGS.includes(kind)) return matchedIn(spec, 'matchResources');
  return records(value, 'webhooks').flatMap((it, i) =>
    rulesAt(it, FieldPath.of('webhooks').index(i).child('rules'), 'matching'),
  );
}

function matchedIn(spec: JsonObject | undefined, field: string): readonly GroupedNames[] {
  const match = record(spec, field);
  const at = FieldPath.of('spec', field);
  return [
    ...rulesAt(match, at.child('resourceRules'), 'matching'),
    ...rulesAt(match, at.child('excludeResourceRules'), 'exemption'),
  ];
}

/** Objects that a quota counts. Upstream: apiserver/pkg/quota/v1/generic.ObjectCountQuotaResourceNameFor */
function countsIn(spec: JsonObject | undefined): readonly GroupedNames[] {
  const at = FieldPath.of('spec', 'hard');
  return Object.keys(record(spec, 'hard') ?? {}).flatMap((key): readonly GroupedNames[] => {
    const [, name, group = ''] = /^count\/([^.]+)(?:\.(.+))?$/.exec(key) ?? [];
    if (name === undefined) return [];
    const place = at.key(key);
    return [{ groups: [group], groupsAt: place, names: [name], namesAt: place, use: 'count', key: place }];
  });
}

/** The rules in the last field of a path. */
function rulesAt(of: JsonObject | undefined, at: FieldPath, use: NamePurpose): readonly GroupedNames[] {
  return records(of, String(at.segments.at(-1))).map((rule, i) => ({
    groups: texts(rule, 'apiGroups'),
    groupsAt: at.index(i).child('apiGroups'),
    ...(has(rule, 'apiVersions') && {
      versions: texts(rule, 'apiVersions'),
      versionsAt: at.index(i).child('apiVersions'),
    }),
    names: texts(rule, 'resources'),
    namesAt: at.index(i).child('resources'),
    use,
  }));
}
