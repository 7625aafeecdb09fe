import { t } from '../../base/l10n';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { absenceSeverity, absenceText, isDefined } from '../reading/absence';
import { inWords, isName, type Missing, nearest } from './missing';

const GROUP = 'constraints.gatekeeper.sh';
const TEMPLATE = { group: 'templates.gatekeeper.sh', kind: 'ConstraintTemplate', namespace: undefined };
const DEFINITION = { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition', namespace: undefined };

interface Facts extends Missing {
  /** The kinds of constraints that are most like the one without a template. */
  readonly kinds: readonly string[];
}

export default defineRule<Facts>({
  meta: {
    code: 'references/constraint-template-missing',
    category: 'reference',
    severity: 'error',
    cost: 'workspace',
    summary: 'A Gatekeeper constraint has a kind that no template defines.',
    why: 'The template has the Rego of its constraints and makes their kind: without it the API server has no such kind and refuses the constraint. Berth judges nothing by a constraint whose template it does not see.',
    remedy: 'Correct the kind, or put the ConstraintTemplate among the manifests.',
    details: 'The name of a template is the kind of its constraints in lower case.',
    url: 'https://open-policy-agent.github.io/gatekeeper/website/docs/howto/#constraints',
  },
  on: 'any',

  *check({ object, kind }, context) {
    if (object.group !== GROUP || kind !== undefined || !isName(object.kind)) return;
    const name = object.kind.toLowerCase();
    const isThere = [
      { ...TEMPLATE, name },
      { ...DEFINITION, name: `${name}.${GROUP}` },
    ].some(it => isDefined(context, it.group, it.kind, it.namespace, it.name));
    if (isThere) return;
    const known = context.kube.kinds().filter(it => it.group === GROUP);
    const kinds = nearest(
      object.kind,
      known.map(it => it.kind),
    );
    yield {
      at: FieldPath.of('kind'),
      part: 'value',
      facts: { ...TEMPLATE, name, kinds },
      severity: absenceSeverity(context, TEMPLATE),
    };
  },

  message: ({ facts, severity }, context) =>
    t`${inWords(facts)} ${absenceText(context, severity)}, so nothing is judged by this constraint`,

  fixes: ({ at, facts: { kinds } }, { object }, _context, edit) =>
    kinds.map(it => ({
      title: t`Change to ${it}`,
      safety: 'unsafe' as const,
      edits: [edit.replaceValue(object, at, it)],
    })),
});
