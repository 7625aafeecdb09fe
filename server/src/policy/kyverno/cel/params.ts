import type { JsonObject } from '../../../base/json';
import { record, text } from '../../../kube/goFields';
import { labelMatcher } from '../../../kube/labelSelector';
import type { LabelSelector } from '../../../kube/types';
import { textsOf } from '../resource/resource';
import type { RuleOutcome } from '../results/outcome';
import type { KyvernoWorld } from '../world';

/** The parameter objects of a rule; one null when it has no parameters. Upstream: CollectParams. */
export function paramsOf(
  { paramKind, ...cel }: JsonObject,
  namespace: string,
  world: KyvernoWorld,
): { readonly values: readonly (JsonObject | null)[] } | { readonly outcome: RuleOutcome } {
  const kind = record({ paramKind: paramKind ?? null }, 'paramKind');
  const reference = record(cel, 'paramRef');
  if (kind === undefined || reference === undefined) return { values: [null] };
  const inNamespace = text(reference, 'namespace') || namespace;
  const name = text(reference, 'name');
  const selector =
    reference.selector === undefined ? undefined : labelMatcher(reference.selector as unknown as LabelSelector);
  const found = world.objectsOf(text(kind, 'apiVersion'), text(kind, 'kind')).filter(it => {
    const metadata = record(it, 'metadata');
    const where = text(metadata, 'namespace');
    if (where !== '' && where !== inNamespace) return false;
    return name === '' ? selector?.matches(textsOf(metadata?.labels)) === true : text(metadata, 'name') === name;
  });
  if (found.length > 0) return { values: found };
  if (text(reference, 'parameterNotFoundAction') === 'Allow') {
    return { outcome: { status: 'skip', message: 'no parameters found, which the rule allows' } };
  }
  const wanted = `${text(kind, 'kind')} ${name === '' ? 'that the selector names' : name}`;
  return {
    outcome: {
      status: 'undecided',
      message: `the rule takes its parameters from ${wanted}, which is not in the workspace`,
    },
  };
}
