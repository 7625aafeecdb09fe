import { namesFor, objectsNamed } from '../../workspace/references/definitions';
import type { Target as Aim, Reference } from '../../workspace/references/references';
import { kindsWith } from '../../workspace/references/table';
import type { WorkspaceObject } from '../../workspace/workspace';
import { absenceSeverity } from '../absence';
import type { Fix, Severity } from '../problem';
import type { Rule, RuleContext, RuleMeta, Target } from '../rule';
import { quoted } from '../values';
import { inWords, isName, nearest } from './missing';

type Part = Extract<Aim, { readonly to: 'part' | 'local' }>;

export interface MissingPart {
  readonly name: string;
  readonly what: string;
  /** Where it should be: an object, or a place of the own one. */
  readonly where: string;
  /** The names that there are. */
  readonly known: readonly string[];
}

export interface MissingPartOptions {
  readonly meta: RuleMeta;
  /** What is looked for, as the table calls it. */
  readonly what: string;
  readonly to: Part['to'];
  /** absent: as sure as the sources are complete. */
  readonly severity?: Severity;
  readonly isPassedOver?: (reference: Reference) => boolean;
}

/** A rule that reports names which the object that should have them, and which is there, does not have. */
export function missingPartRule(options: MissingPartOptions): Rule<MissingPart> {
  const { meta, what, to, severity, isPassedOver } = options;
  return {
    meta,
    on: kindsWith(({ aim, parts }) =>
      to === 'local' ? aim.to === 'local' && aim.what === what : parts?.some(it => it.what === what) === true,
    ),

    *check(target, context) {
      for (const reference of context.snapshot.references.of(target.object)) {
        const aim = reference.target;
        if (aim.to !== to || (aim.to !== 'part' && aim.to !== 'local') || aim.what !== what) continue;
        if (reference.isOptional || !isName(reference.name) || isPassedOver?.(reference) === true) continue;
        const known = knownNames(aim, target, context);
        if (known === undefined || known.includes(reference.name)) continue;
        const where = aim.to === 'part' ? inWords(aim.of) : aim.scope.toString();
        yield {
          at: reference.at,
          part: 'value',
          facts: { name: reference.name, what, where, known },
          severity: severity ?? absenceSeverity(context),
        };
      }
    },

    message: ({ facts: { name, where } }, context) =>
      `${where} has no ${what} ${quoted(name)}${to === 'local' || context.snapshot.complete ? '' : ' in this workspace'}`,

    fixes: ({ at, facts }, { object }, _context, edit) =>
      nearest(facts.name, facts.known).map(
        (name): Fix => ({
          title: `Change to ${name}`,
          safety: 'unsafe',
          edits: [edit.replaceValue(object, at, name)],
        }),
      ),
  };
}

/** undefined where nothing can be said: the object is not there, or is filled by someone else too. */
function knownNames(aim: Part, { object }: Target, { snapshot }: RuleContext): readonly string[] | undefined {
  const names = namesFor(snapshot, object, aim).map(it => it.name);
  if (aim.to === 'local') return names;
  const isMeant = snapshot.complete || objectsNamed(snapshot, aim.of).some(it => areNear(it, object));
  if (!isMeant || names.length === 0 || snapshot.references.makersOf(aim.of).length > 0) return undefined;
  return names;
}

/** Whether one object's folder holds the other's: of folders beside each other, each may have its own of one name. */
function areNear(a: WorkspaceObject, b: WorkspaceObject): boolean {
  const [one, other] = [a, b].map(it => it.manifest.uri.slice(0, it.manifest.uri.lastIndexOf('/') + 1));
  return one !== undefined && other !== undefined && (one.startsWith(other) || other.startsWith(one));
}
