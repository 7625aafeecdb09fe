import type { ApiLife, Kube } from '../../kube/kube';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { migrationFixes } from '../migrations/fix';
import { applies, isAtLeast, type MinorChange } from '../minors/minorChange';
import { minorChanges } from '../minors/minorChanges';

interface Facts {
  readonly apiVersion: string;
  readonly kind: string;
  readonly life: ApiLife;
  /** In the server's words. */
  readonly replacement: string | undefined;
}

const API_VERSION = FieldPath.of('apiVersion');

export default defineRule<Facts>({
  meta: {
    code: 'warning/deprecated-api',
    category: 'warning',
    severity: 'warning',
    cost: 'typing',
    summary: 'The API version of this kind is deprecated.',
    why: 'The server still takes the object and warns of it. A later Kubernetes will not know the version any more, and a manifest that uses it will be refused.',
    remedy: 'Use the version that takes its place.',
    details:
      'The text is the API server’s own. Versions that are gone already are reported by [decode/unknown-kind](../decode/unknown-kind.md).',
    source: {
      project: 'kubernetes',
      symbol: 'k8s.io/apiserver endpoints/deprecation.WarningMessage',
      fidelity: 'same',
    },
    url: 'https://kubernetes.io/docs/reference/using-api/deprecation-guide/',
  },
  on: 'any',

  *check({ object, kind }, { kube }) {
    if (kind?.origin !== 'built-in') return;
    const life = lifeAt(object.apiVersion, object.kind, kube);
    if (life?.deprecated === undefined || !isAtLeast(kube.minor, life.deprecated)) return;
    const { apiVersion } = object;
    yield {
      at: API_VERSION,
      part: 'value',
      facts: { apiVersion, kind: object.kind, life, replacement: replacementIn(life, kube) },
    };
  },

  message: ({ facts: { apiVersion, kind, life, replacement } }) =>
    [
      `${apiVersion} ${kind} is deprecated in v${life.deprecated}+`,
      ...(life.removed === undefined ? [] : [`, unavailable in v${life.removed}+`]),
      ...(replacement === undefined ? [] : [`; use ${replacement}`]),
    ].join(''),

  fixes: (_, target, { kube }, edit) => migrationFixes(target, kube, edit),
});

/** The life that the server of a minor knows, where a later one changed it. */
function lifeAt(apiVersion: string, kind: string, kube: Kube): ApiLife | undefined {
  const life = kube.apiLife(apiVersion, kind);
  if (life === undefined || !apiVersion.endsWith('/v1alpha1')) return life;
  const { trustBundlesProlonged, alphaPoliciesDeprecated } = minorChanges;
  const isConcerned = (change: MinorChange): boolean => change.kinds.includes(kind) && !applies(change, kube);
  if (isConcerned(trustBundlesProlonged)) return { ...life, deprecated: '1.29', removed: '1.32' };
  return isConcerned(alphaPoliciesDeprecated) ? undefined : life;
}

/** The replacement, which the server names once it has it. */
function replacementIn({ replacement }: ApiLife, kube: Kube): string | undefined {
  const [apiVersion = '', kind = ''] = replacement?.split(' ') ?? [];
  const served = kube.apiLife(apiVersion, kind)?.served;
  return served !== undefined && served[kube.minor] === undefined ? undefined : replacement;
}
