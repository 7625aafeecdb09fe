import { t } from '../../base/l10n';
import { lazyByObject } from '../../base/lazy';
import { quoted } from '../../base/quoted';
import type { WorkspaceObject } from '../../workspace/object';
import { type Definition, namesFor, objectsNamed, podsSelected } from '../../workspace/references/definitions';
import type { Target as Aim, Reference } from '../../workspace/references/references';
import { kindsWith } from '../../workspace/references/table';
import type { Fix, Severity } from '../framework/problem';
import type { Rule, RuleContext, RuleMeta, RuleTarget } from '../framework/rule';
import { absenceSeverity } from '../reading/absence';
import { inWords, isName, nearest } from './missing';

type Part = Extract<Aim, { readonly to: 'part' | 'local' | 'podPart' }>;

export interface MissingPart {
  readonly name: string;
  readonly what: string;
  /** Where the part should be: in another object, or elsewhere in the same one. */
  readonly where: string;
  /** The names that exist. */
  readonly known: readonly string[];
}

export interface MissingPartOptions {
  readonly meta: RuleMeta;
  /** The name of the part in the table. */
  readonly what: string;
  readonly to: Part['to'];
  /** When absent, the severity depends on whether the sources are complete. */
  readonly severity?: Severity;
  readonly isPassedOver?: (reference: Reference) => boolean;
}

/** A rule that reports names of parts that the target object, which exists, does not have. */
export function missingPartRule(options: MissingPartOptions): Rule<MissingPart> {
  const { meta, what, to, severity, isPassedOver } = options;
  return {
    meta,
    on: kindsWith(({ aim, parts }) =>
      to === 'part' ? parts?.some(it => it.what === what) === true : aim.to === to && aim.what === what,
    ),

    *check(target, context) {
      for (const reference of context.snapshot.references.of(target.object)) {
        const aim = reference.target;
        if (aim.to !== to || !isPart(aim) || aim.what !== what) continue;
        if (reference.isOptional || !isName(reference.name) || isPassedOver?.(reference) === true) continue;
        const known = knownNames(aim, target, context);
        if (known === undefined || known.isAmong(reference.name)) continue;
        yield {
          at: reference.at,
          part: 'value',
          facts: { name: reference.name, what, where: locationText(aim), known: known.all },
          severity: severity ?? absenceSeverity(context),
        };
      }
    },

    message: ({ facts: { name, where } }, context) =>
      t`${where} has no ${what} ${quoted(name)}${to === 'local' || context.snapshot.complete ? '' : t(' in this workspace')}`,

    fixes: ({ at, facts }, { object }, _context, edit) =>
      nearest(facts.name, facts.known).map(
        (name): Fix => ({
          title: t`Change to ${name}`,
          safety: 'unsafe',
          edits: [edit.replaceValue(object, at, name)],
        }),
      ),
  };
}

function isPart(aim: Aim): aim is Part {
  return aim.to === 'part' || aim.to === 'local' || aim.to === 'podPart';
}

function locationText(aim: Part): string {
  if (aim.to === 'podPart') return t('what this selects');
  return aim.to === 'part' ? inWords(aim.of) : aim.scope.toString();
}

/** undefined if the names are unknown: the object does not exist, or others add to it, too. */
function knownNames(aim: Part, { object }: RuleTarget, { snapshot }: RuleContext): KnownNames | undefined {
  const names = namesAmong(namesFor(snapshot, object, aim));
  if (aim.to === 'local') return names;
  const holders = aim.to === 'part' ? objectsNamed(snapshot, aim.of) : podsSelected(snapshot, aim.pods);
  if (holders.length === 0 || !(snapshot.complete || holders.some(it => areNear(it, object)))) return undefined;
  if (aim.to === 'podPart') return names;
  return names.all.length === 0 || snapshot.references.generatorsOf(aim.of).length > 0 ? undefined : names;
}

interface KnownNames {
  readonly all: readonly string[];
  readonly isAmong: (name: string) => boolean;
}

/** By a list that all references to the same names share. */
const namesAmong = lazyByObject((definitions: readonly Definition[]): KnownNames => {
  const all = definitions.map(it => it.name);
  const among = new Set(all);
  return { all, isAmong: name => among.has(name) };
});

/** Whether one object's folder contains the other's: neighbouring folders may each have an object of the same name. */
function areNear(a: WorkspaceObject, b: WorkspaceObject): boolean {
  const [one, other] = [a, b].map(it => it.manifest.uri.slice(0, it.manifest.uri.lastIndexOf('/') + 1));
  return one !== undefined && other !== undefined && (one.startsWith(other) || other.startsWith(one));
}
