import type { KindInfo, Kube } from '../../kube/kube';
import type { RuleContext, RuleTarget } from '../framework/rule';
import { applies } from '../minors/minorChange';
import { minorChanges } from '../minors/minorChanges';
import { unknownInResource } from './customFields';
import { decode, type Mismatch, type UnknownField } from './decode';

/** The errors for a rule's object, computed once for all rules that need them. */
export function decodingOf(
  { value, kind }: RuleTarget,
  { answers, kube }: RuleContext,
): readonly (UnknownField | Mismatch)[] {
  const known = answers?.get('decode') as readonly (UnknownField | Mismatch)[] | undefined;
  if (known !== undefined) return known;
  const found = kind === undefined ? [] : decoded(value, kind, kube);
  answers?.set('decode', found);
  return found;
}

/** A custom resource is pruned by its published schema. */
function decoded(
  value: RuleTarget['value'],
  { schema, structural }: KindInfo,
  kube: Kube,
): readonly (UnknownField | Mismatch)[] {
  const structs = applies(minorChanges.embeddedStructsNamed, kube) ? 'named' : 'unnamed';
  const all = [...decode(value, schema, structs, kube.parts)];
  if (structural === undefined) return all;
  return [...all.filter(it => it.what === 'mismatch'), ...unknownInResource(value, structural, schema)];
}
