import type { JsonObject } from '../../../base/json';
import { record, records, text, texts } from '../../../kube/goFields';
import type { EvalContext } from '../context/context';
import { contextEntries } from '../context/contextLoaders';
import { substitute } from '../context/variables';
import { isList, isMap } from '../go/goValues';
import { rulesFor } from '../policies/autogen';
import { hasLabels } from '../policies/match';
import type { KyvernoPolicy } from '../policies/policy';
import { type Resource, textsOf } from '../resource/resource';
import { Indeterminate, KyvernoError } from '../results/failures';
import { attempt, type RuleOutcome } from '../results/outcome';
import type { KyvernoWorld } from '../world';
import { appliesTo, checkRule, type RuleRun } from './evaluate';
import { unmetPreconditions, withElement } from './validate';

/** The outcome of a generate rule, with the objects it would create. */
export interface Generated extends RuleOutcome {
  readonly rule: string;
  readonly objects: readonly JsonObject[];
}

/** The outcomes of a policy's generate rules for a resource. Upstream: engine.Generate and background/generate. */
export function generateWithPolicy(
  policy: KyvernoPolicy,
  resource: Resource,
  world: KyvernoWorld,
): readonly Generated[] {
  if (!appliesTo(policy, resource, world)) return [];
  return rulesFor(policy, resource.kind).flatMap(fields => {
    const generate = record(fields, 'generate');
    if (generate === undefined) return [];
    const made: JsonObject[] = [];
    const outcome = checkRule(policy, fields, resource, world, (run, context) =>
      generateAll(generate, run, context, made),
    );
    return outcome === undefined ? [] : [{ ...outcome, rule: text(fields, 'name'), objects: made }];
  });
}

function generateAll(generate: JsonObject, run: RuleRun, context: EvalContext, made: JsonObject[]): RuleOutcome {
  const loops = records(generate, 'foreach');
  const attempted = attempt('failed to generate', () =>
    loops.length === 0 ? generatedOnce(generate, run, context) : loops.flatMap(it => generatedInLoop(it, run, context)),
  );
  if ('outcome' in attempted) return attempted.outcome;
  for (const each of attempted.value) made.push(each);
  return {
    status: 'pass',
    message: `${attempted.value.length === 1 ? 'one object is' : `${attempted.value.length} objects are`} made`,
  };
}

function generatedOnce(generate: JsonObject, run: RuleRun, context: EvalContext): readonly JsonObject[] {
  const substituted = substitute(generate, context);
  return isMap(substituted) ? objectsOf(substituted, run) : [];
}

/** Generates once for each element whose preconditions hold. Upstream: generator.generateElements. */
function generatedInLoop(loop: JsonObject, run: RuleRun, context: EvalContext): readonly JsonObject[] {
  const { list, context: entries, preconditions, ...pattern } = loop;
  const found = context.query(typeof list === 'string' ? list : '');
  return (isList(found) ? found : [found]).flatMap((element, index) => {
    if (element === null) return [];
    const inner = withElement(context, element, index, 0).withEntries(
      contextEntries({ context: entries ?? null }, run.world, run.policy.namespace),
    );
    const unmet = unmetPreconditions(preconditions, inner);
    if (unmet?.status === 'skip') return [];
    if (unmet !== undefined) throw new KyvernoError(unmet.message);
    return generatedOnce(pattern, run, inner);
  });
}

function objectsOf(generate: JsonObject, { world }: RuleRun): readonly JsonObject[] {
  const cloneList = record(generate, 'cloneList');
  if (cloneList !== undefined) return clonesOf(cloneList, text(generate, 'namespace'), world);
  const clone = record(generate, 'clone');
  const base = clone === undefined ? (record(generate, 'data') ?? {}) : sourceOf(generate, clone, world);
  return [
    named(
      base,
      text(generate, 'apiVersion'),
      text(generate, 'kind'),
      text(generate, 'name'),
      text(generate, 'namespace'),
    ),
  ];
}

function sourceOf(generate: JsonObject, clone: JsonObject, world: KyvernoWorld): JsonObject {
  const [kind, name, namespace] = [text(generate, 'kind'), text(clone, 'name'), text(clone, 'namespace')];
  const found = world.objectsOf(text(generate, 'apiVersion'), kind).find(it => {
    const metadata = record(it, 'metadata');
    return text(metadata, 'name') === name && (namespace === '' || text(metadata, 'namespace') === namespace);
  });
  if (found === undefined)
    throw new Indeterminate(
      `it clones ${kind} ${namespace === '' ? name : `${namespace}/${name}`}, which is not in the workspace`,
    );
  return withoutForeignOwners(found, text(generate, 'namespace'));
}

function clonesOf(cloneList: JsonObject, into: string, world: KyvernoWorld): readonly JsonObject[] {
  const { selector } = cloneList;
  return texts(cloneList, 'kinds').flatMap(written => {
    const parts = written.split('/');
    const kind = parts.at(-1) ?? '';
    const apiVersion = parts.slice(0, -1).join('/');
    if (apiVersion === '') throw new KyvernoError(`kind ${written} of cloneList has no version`);
    return world
      .objectsOf(apiVersion, kind)
      .filter(it => text(record(it, 'metadata'), 'namespace') === text(cloneList, 'namespace'))
      .filter(it => selector === undefined || hasLabels(selector, textsOf(record(it, 'metadata')?.labels)))
      .map(it => withoutForeignOwners(it, into))
      .map(it => named(it, apiVersion, kind, text(record(it, 'metadata'), 'name'), into));
  });
}

const ownedByServer = ['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields', 'selfLink'];

/** Clones in another namespace get no owner references. Upstream: manageClone. */
function withoutForeignOwners(source: JsonObject, into: string): JsonObject {
  const { ownerReferences, ...metadata } = record(source, 'metadata') ?? {};
  if (ownerReferences === undefined || text(metadata, 'namespace') === into) return source;
  return { ...source, metadata };
}

/** The object as Kyverno creates it: with the rule's name and namespace, and without server-set fields. */
function named(base: JsonObject, apiVersion: string, kind: string, name: string, namespace: string): JsonObject {
  const { metadata: _, status: __, ...fields } = base;
  const kept = Object.entries(record(base, 'metadata') ?? {}).filter(([key]) => !ownedByServer.includes(key));
  const { namespace: ___, ...metadata } = Object.fromEntries(kept);
  return { apiVersion, kind, ...fields, metadata: { ...metadata, name, ...(namespace !== '' && { namespace }) } };
}
