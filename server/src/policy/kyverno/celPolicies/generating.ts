import type { JsonObject, JsonValue } from '../../../base/json';
import { record, records, text } from '../../../kube/goFields';
import { parseManifests } from '../../../manifest/parse';
import { jsonOf } from '../cel/json';
import { CelGenerator } from '../cel/libraries';
import type { Generated } from '../engine/generate';
import { isList, isMap } from '../go/goValues';
import type { Resource } from '../resource/resource';
import { KyvernoError } from '../results/failures';
import { attempt } from '../results/outcome';
import type { KyvernoWorld } from '../world';
import { isForAdmission } from './celPolicy';
import { selectsResource } from './constraints';
import { evaluated, openScope, type PolicyScope } from './scope';
import type { CelPolicy } from './types';

/**
 * The objects that a GeneratingPolicy creates because of a resource; undefined when the policy does not select it.
 * Upstream: gpol Policy.Evaluate.
 */
export function generateWithCelPolicy(
  policy: CelPolicy,
  resource: Resource,
  admissionWorld: KyvernoWorld,
): Generated | undefined {
  const world = { ...admissionWorld, policyCel: admissionWorld.generatingCel };
  if (!isForAdmission(policy) || !selectsResource(policy, resource, world)) return undefined;
  const generator = new CelGenerator();
  const attempted = attempt('failed to evaluate policy', () => {
    const opened = openScope(policy, resource, world, { more: { generator } });
    if ('outcome' in opened) return opened.outcome;
    for (const it of records(policy.spec, 'generate')) generateOne(it, policy, opened.scope, generator, world);
    return undefined;
  });
  const outcome = 'outcome' in attempted ? attempted.outcome : attempted.value;
  if (outcome !== undefined) return { ...outcome, rule: '', objects: [] };
  const objects = attempt('failed to evaluate policy', () =>
    generator.made.map(it => createdObject(it, policy, world)),
  );
  if ('outcome' in objects) return { ...objects.outcome, rule: '', objects: [] };
  return { status: 'pass', message: 'success', rule: '', objects: objects.value };
}

function generateOne(
  generation: JsonObject,
  policy: CelPolicy,
  scope: PolicyScope,
  generator: CelGenerator,
  world: KyvernoWorld,
): void {
  const template = record(generation, 'template');
  if (template === undefined) {
    evaluated(text(generation, 'expression'), scope.variables, world);
    return;
  }
  const isLiteral = text(template, 'interpolate') !== 'cel';
  const { documents, problems } = parseManifests('template', text(template, 'value'));
  const [problem] = problems;
  if (problem !== undefined) throw new KyvernoError(`spec.generate: failed to parse YAML: ${problem.message}`);
  for (const { value } of documents) {
    if (value === null || value === undefined) continue;
    const object = isLiteral ? value : filled(value, scope, world);
    if (!isMap(object)) throw new KyvernoError('failed to render generation template: a document has to be a resource');
    const namespace = text(record(object, 'metadata'), 'namespace');
    generator.made.push({ namespace: namespace || (policy.namespace ?? ''), object });
  }
}

/**
 * Evaluates the `(( … ))` placeholders of a value. A placeholder that is the whole text keeps its own type. Upstream:
 * template.Render.
 */
function filled(value: JsonValue, scope: PolicyScope, world: KyvernoWorld): JsonValue {
  if (isList(value)) return value.map(it => filled(it, scope, world));
  if (isMap(value))
    return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, filled(it, scope, world)]));
  if (typeof value !== 'string' || !value.includes('((')) return value;
  const segments = segmentsOf(value).map(it =>
    'literal' in it ? it.literal : jsonOf(evaluated(it.expression, scope.variables, world)),
  );
  if (segments.length === 1) return segments[0] ?? '';
  if (segments.some(it => typeof it === 'object'))
    throw new KyvernoError(
      'failed to render generation template: a placeholder embedded in a string must evaluate to a scalar',
    );
  return segments.join('');
}

type Segment = { readonly literal: string } | { readonly expression: string };

/** Splits a text into literals and placeholders; `\\((` is a literal. Upstream: template.scan. */
function segmentsOf(template: string): readonly Segment[] {
  const start = /(?<!\\)\(\(/.exec(template)?.index;
  const plain = (it: string): readonly Segment[] => (it === '' ? [] : [{ literal: it.replaceAll('\\((', '((') }]);
  if (start === undefined) return plain(template);
  const end = endOfPlaceholder(template, start + 2);
  const expression = template.slice(start + 2, end).trim();
  return [...plain(template.slice(0, start)), { expression }, ...segmentsOf(template.slice(end + 2))];
}

/** The position of the two parentheses that close the placeholder. */
function endOfPlaceholder(template: string, from: number): number {
  const token = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[()]/g;
  token.lastIndex = from;
  let depth = 0;
  for (let found = token.exec(template); found !== null; found = token.exec(template)) {
    if (found[0] === '(') depth += 1;
    if (found[0] !== ')') continue;
    if (depth === 0 && template[found.index + 1] === ')') return found.index;
    depth -= 1;
  }
  throw new KyvernoError("unterminated placeholder: missing closing '))'");
}

const ownedByServer = ['uid', 'selfLink', 'creationTimestamp', 'managedFields', 'resourceVersion'];

/** Upstream: contextProvider.GenerateResources. */
function createdObject(
  { namespace, object }: CelGenerator['made'][number],
  policy: CelPolicy,
  world: KyvernoWorld,
): JsonObject {
  const [apiVersion, kind] = [text(object, 'apiVersion'), text(object, 'kind')];
  const isNamespaced = world.isNamespaced(apiVersion, kind);
  const own = policy.namespace;
  if (!isNamespaced && own !== undefined)
    throw new KyvernoError(
      `cross-scope generation denied: a policy scoped to namespace ${JSON.stringify(own)} cannot generate cluster-scoped resource ${apiVersion}/${kind}`,
    );
  const wanted = namespace || (own ?? '');
  if (own !== undefined && wanted !== own)
    throw new KyvernoError(
      `cross-namespace generation denied: a policy in namespace ${JSON.stringify(own)} cannot generate resources into namespace ${JSON.stringify(wanted)}`,
    );
  const target = isNamespaced ? wanted : '';
  const { namespace: source, ownerReferences, ...rest } = record(object, 'metadata') ?? {};
  const kept = Object.entries(rest).filter(([key]) => !ownedByServer.includes(key));
  const keepsOwners = ownerReferences !== undefined && (source === undefined || source === '' || source === target);
  return {
    ...object,
    metadata: {
      ...Object.fromEntries(kept),
      ...(keepsOwners && { ownerReferences }),
      ...(target !== '' && { namespace: target }),
    },
  };
}
