import { asList, asText, fieldAt } from '../../rules/values';
import type { Snapshot, WorkspaceObject } from '../../workspace/workspace';

const TEMPLATES = 'templates.gatekeeper.sh';
const CONSTRAINTS = 'constraints.gatekeeper.sh';

/** Groups of objects that configure Gatekeeper and are nobody's business but its own. */
const OWN_GROUPS: ReadonlySet<string> = new Set([
  TEMPLATES,
  CONSTRAINTS,
  'config.gatekeeper.sh',
  'mutations.gatekeeper.sh',
  'expansion.gatekeeper.sh',
  'externaldata.gatekeeper.sh',
  'status.gatekeeper.sh',
  'syncset.gatekeeper.sh',
  'test.gatekeeper.sh',
]);

export interface GatekeeperPolicies {
  readonly templates: readonly WorkspaceObject[];
  readonly constraints: readonly WorkspaceObject[];
  /** What `data.inventory` holds: Namespaces, and everything when some template looks at it. */
  readonly inventory: readonly WorkspaceObject[];
  readonly objects: readonly WorkspaceObject[];
}

/** undefined when the workspace has no template with a constraint. */
export function gatekeeperPoliciesOf(snapshot: Snapshot): GatekeeperPolicies | undefined {
  const templates = snapshot.objectsOf(TEMPLATES, 'ConstraintTemplate');
  if (templates.length === 0) return undefined;
  const all = [...snapshot.files.keys()].flatMap(uri => snapshot.objectsIn(uri));
  const constraints = all.filter(it => it.group === CONSTRAINTS && it.name !== undefined);
  const objects = all.filter(it => !OWN_GROUPS.has(it.group) && it.kind !== '' && it.name !== undefined);
  const isReferential = templates.some(it => codeOf(it).some(code => /\binventory\b/.test(code.text)));
  const inventory = isReferential ? objects : snapshot.objectsOf('', 'Namespace');
  return { templates, constraints, inventory, objects };
}

/** One program of a template, and the fields that lead to it. */
export interface TemplateCode {
  readonly text: string;
  readonly at: readonly (string | number)[];
  readonly regoVersion: 'v0' | 'v1';
}

/** The Rego of a template: in the older form at `targets[0].rego`, else in `targets[0].code`. Libraries come along. */
export function codeOf({ manifest }: WorkspaceObject): readonly TemplateCode[] {
  return asList(fieldAt(manifest.value, 'spec', 'targets')).flatMap((target, i) => {
    const base = ['spec', 'targets', i] as const;
    const own = regoIn(target, [...base], 'v0');
    const byEngine = asList(fieldAt(target, 'code')).flatMap((code, j) => {
      const version = asText(fieldAt(code, 'source', 'version')) === 'v1' ? 'v1' : 'v0';
      return regoIn(fieldAt(code, 'source'), [...base, 'code', j, 'source'], version);
    });
    return [...own, ...byEngine];
  });
}

function regoIn(
  holder: ReturnType<typeof fieldAt>,
  at: readonly (string | number)[],
  regoVersion: 'v0' | 'v1',
): readonly TemplateCode[] {
  const main = asText(fieldAt(holder, 'rego'));
  const libraries = asList(fieldAt(holder, 'libs')).flatMap((it, i) => {
    const text = asText(it);
    return text === undefined ? [] : [{ text, at: [...at, 'libs', i], regoVersion }];
  });
  return main === undefined ? libraries : [{ text: main, at: [...at, 'rego'], regoVersion }, ...libraries];
}
