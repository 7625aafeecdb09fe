import { isObject } from '../base/json';
import type { WantedKind } from '../cluster/sources/kinds';
import { versionIn } from '../kube/version';
import { ApiFailure, JSON_TYPE, type LiveWorld, REQUEST_PATIENCE } from './api';

/** A kind with the group and version under which the server serves it. */
export interface ServedKind extends WantedKind {
  readonly apiVersion: string;
}

export interface Discovery {
  readonly kubernetesVersion?: string;
  readonly served: readonly ServedKind[];
  readonly unserved: readonly WantedKind[];
}

const AGGREGATED = `${JSON_TYPE};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,${JSON_TYPE}`;

interface GroupDiscoveryList {
  readonly kind?: string;
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly resources?: readonly { readonly resource: string }[];
    }[];
  }[];
}

/**
 * Finds the served kinds among the wanted ones, each in the version that the server prefers. Requests `/api`, `/apis`
 * and `/version`. Rejects with ApiFailure when the server cannot be reached.
 */
export async function discover(
  wantedKinds: readonly WantedKind[],
  world: LiveWorld,
  signal: AbortSignal,
): Promise<Discovery> {
  const answers = await Promise.all(
    ['/api', '/apis'].map(path => request<GroupDiscoveryList>(path, AGGREGATED, world, signal)),
  );
  if (answers.some(it => it.kind !== 'APIGroupDiscoveryList')) {
    throw new ApiFailure('the server is older than Kubernetes 1.30: it has no aggregated discovery');
  }
  const versions = new Map<string, string>();
  for (const { metadata, versions: served } of answers.flatMap(it => it.items ?? [])) {
    const group = metadata?.name ?? '';
    for (const { version, resources } of served ?? []) {
      for (const { resource } of resources ?? []) {
        const key = `${group}/${resource}`;
        if (!versions.has(key)) versions.set(key, group === '' ? version : `${group}/${version}`);
      }
    }
  }
  const kubernetesVersion = await serverVersion(world, signal);
  return {
    ...(kubernetesVersion !== undefined && { kubernetesVersion }),
    served: wantedKinds.flatMap(it => {
      const apiVersion = versions.get(`${it.group}/${it.resource}`);
      return apiVersion === undefined ? [] : [{ ...it, apiVersion }];
    }),
    unserved: wantedKinds.filter(it => !versions.has(`${it.group}/${it.resource}`)),
  };
}

/** The version as the server writes it, without the `v`; its minor where it does not tell more. */
async function serverVersion(world: LiveWorld, signal: AbortSignal): Promise<string | undefined> {
  const { gitVersion, major, minor } = await request<{
    readonly gitVersion?: string;
    readonly major?: string;
    readonly minor?: string;
  }>('/version', JSON_TYPE, world, signal);
  if (versionIn(gitVersion ?? '') !== undefined) return gitVersion?.replace(/^v/, '');
  const number = /^\d+/.exec(minor ?? '')?.[0];
  return major === undefined || number === undefined ? undefined : `${major}.${number}`;
}

async function request<T extends object>(
  path: string,
  accept: string,
  world: LiveWorld,
  signal: AbortSignal,
): Promise<T> {
  const answer = await world.get(path, { accept, idleMilliseconds: REQUEST_PATIENCE, signal });
  const text = await answer.text();
  if (answer.status === 401) throw new ApiFailure('the server does not accept the credentials (401)');
  if (answer.status !== 200) throw new ApiFailure(`the server answers ${answer.status} to ${path}`);
  return parsed<T>(text);
}

/** Throws ApiFailure for anything but a JSON object, such as the answer of a proxy or a login page. */
export function parsed<T extends object>(text: string): T {
  const value = jsonOf(text);
  if (isObject(value)) return value as T;
  throw new ApiFailure('what answers is no API server: its JSON is no object');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiFailure('what answers is no API server: it does not speak JSON');
  }
}
