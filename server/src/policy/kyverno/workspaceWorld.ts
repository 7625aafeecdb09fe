import type { Kube } from '../../kube/kube';
import { record } from '../../rules/apiserver/validate/read';
import { RULES } from '../../rules/registry';
import { podCheckOf } from '../../rules/security/check';
import { podViewOf } from '../../rules/security/pod';
import type { Snapshot } from '../../workspace/workspace';
import { celEngine } from './cel/engine';
import { jmespath } from './jmespath/jmespath';
import type { PodSecurityJudges } from './podSecurity';
import { textsOf } from './subject';
import type { KyvernoWorld } from './world';

/** The world as the objects of one environment describe it. `now` in milliseconds since 1970, if policies may ask. */
export function workspaceWorld(kube: Kube, snapshot: Snapshot, now?: number): KyvernoWorld {
  const first = (group: string, kind: string, namespace: string | undefined, name: string) =>
    snapshot.find(group, kind, namespace, name)[0]?.manifest.value;
  return {
    jmespath: jmespath(now),
    cel: celEngine(),
    podSecurity: podSecurityJudges(kube, snapshot),
    configMap: (namespace, name) => first('', 'ConfigMap', namespace, name),
    namespace: name => first('', 'Namespace', undefined, name),
    namespaceLabels: name => {
      const found = first('', 'Namespace', undefined, name);
      return found && { 'kubernetes.io/metadata.name': name, ...textsOf(record(found, 'metadata')?.labels) };
    },
    objectsOf: (apiVersion, kind) => snapshot.objectsOf(groupOf(apiVersion), kind).map(it => it.manifest.value),
    resourceName: (group, version, kind) => resourceName(kube, group, version, kind),
    exceptions: snapshot.objectsOf('kyverno.io', 'PolicyException').map(it => it.manifest.value),
    celExceptions: snapshot.objectsOf('policies.kyverno.io', 'PolicyException').map(it => it.manifest.value),
  };
}

const groupOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';

/** As the API knows it; else as names of resources are usually made of kinds. Upstream: meta.UnsafeGuessKindToResource. */
function resourceName(kube: Kube, group: string, version: string, kind: string): string {
  const known = kube.kindOf(group === '' ? version : `${group}/${version}`, kind)?.resource;
  if (known !== undefined) return known;
  const singular = kind.toLowerCase();
  if (/(s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

function podSecurityJudges(kube: Kube, snapshot: Snapshot): PodSecurityJudges {
  return {
    checks: RULES.flatMap(it => podCheckOf(it) ?? []),
    viewOf: ({ object, value }) => {
      const kind = kube.kindOf(object.apiVersion, object.kind);
      return podViewOf({ object, value, kind }, { kube, snapshot });
    },
  };
}
