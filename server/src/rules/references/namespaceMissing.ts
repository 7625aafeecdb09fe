import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { systemNamespaces } from '../../kube/podTemplates';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { absenceText, isAbsenceCertain, isDefined } from '../reading/absence';
import { isName, isNamespaceFilledIn, nearest } from './missing';

const NAMESPACE = { group: '', kind: 'Namespace', namespace: undefined };
const AT = FieldPath.of('metadata', 'namespace');

export default defineRule<string>({
  meta: {
    code: 'references/namespace-missing',
    category: 'reference',
    severity: 'error',
    cost: 'workspace',
    summary: 'An object lives in a namespace that is defined nowhere.',
    why: 'The API server refuses it: namespaces "…" not found.',
    remedy: 'Correct the name, or define the Namespace.',
    details:
      'Namespaces are often made by hand or by a tool, so that it is said only where the sources are known to be complete.',
    source: { project: 'kubernetes', symbol: 'NamespaceLifecycle admission', fidelity: 'inspired' },
    url: 'https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/',
  },
  on: 'any',

  *check({ object, kind }, context) {
    const name = object.namespace;
    if (!isAbsenceCertain(context, NAMESPACE) || name === undefined || kind === undefined || !object.manifest.has(AT))
      return;
    if (!isName(name) || systemNamespaces.includes(name)) return;
    if (isDefined(context, '', 'Namespace', undefined, name) || isNamespaceFilledIn(context, name)) return;
    yield { at: AT, part: 'value', facts: name };
  },

  message: ({ facts }, context) => t`Namespace ${quoted(facts)} ${absenceText(context, 'error')}`,

  fixes: ({ facts }, { object }, { snapshot }, edit) => [
    ...nearest(facts, [...snapshot.objectsOf('', 'Namespace').flatMap(it => it.name ?? []), ...systemNamespaces]).map(
      name => ({
        title: t`Change to ${name}`,
        safety: 'unsafe' as const,
        edits: [edit.replaceValue(object, AT, name)],
      }),
    ),
    {
      title: t`Define Namespace ${facts} at the end of this file`,
      safety: 'unsafe',
      edits: [edit.appendDocument(object, `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${facts}\n`)],
    },
  ],
});
