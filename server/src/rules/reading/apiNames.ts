import { lazy, lazyByObject } from '../../base/lazy';
import { grouped } from '../../base/multiMap';
import { groupOf } from '../../kube/apiVersion';
import { guessedResource } from '../../kube/guessedResource';
import type { ApiLife, ApiName, Kube } from '../../kube/kube';
import { isUpTo } from '../../kube/successor';

/** The resources of the API by their groups, or its kinds: what fields name by a group and a text. */
export interface ApiNames {
  /** What a group has; nothing where it is not known. */
  readonly ofGroup: (group: string) => readonly ApiEntry[];
  /** What has a name, in all groups. */
  readonly named: (name: string) => readonly ApiEntry[];
  /** What a text means that is no name: the kind for the resource or the other way round, the singular, another case. */
  readonly meant: (text: string) => readonly ApiEntry[];
  /** The groups of Kubernetes itself in any minor: nothing else is in them. */
  readonly ownGroups: ReadonlySet<string>;
  /** What becomes of a name that this minor does not have, in one version or in any. */
  readonly life: (group: string, name: string, version?: string) => Life | undefined;
}

export interface ApiEntry {
  readonly group: string;
  readonly version: string;
  readonly name: string;
}

/** A later minor has it, or an earlier one alone. */
export type Life = 'to come' | 'gone';

/** Resources: `deployments` of `apps`. */
export const resourceNames = lazyByObject((kube: Kube) =>
  namesOf(kube, {
    name: it => it.resource,
    nameOfKind: guessedResource,
    // What only is the body of a subresource is no resource.
    isThere: it => it.gone !== undefined || Object.keys(it.served).length > 0,
  }),
);

/** Kinds: `Deployment` of `apps`. */
export const kindNames = lazyByObject((kube: Kube) =>
  namesOf(kube, { name: it => it.kind, nameOfKind: it => it, isThere: () => true }),
);

interface Naming {
  readonly name: (it: ApiName) => string;
  /** The name that a kind of another minor has. */
  readonly nameOfKind: (kind: string) => string;
  readonly isThere: (life: ApiLife) => boolean;
}

function namesOf(kube: Kube, { name, nameOfKind, isThere }: Naming): ApiNames {
  const entries = kube.api().map(it => ({ group: it.group, version: it.version, name: name(it) }));
  const byGroup = grouped(entries, it => it.group);
  const byName = grouped(entries, it => it.name);
  const byMeaning = lazy(() =>
    grouped(
      kube.api().flatMap((it, i) => {
        const words = new Set([it.kind.toLowerCase(), it.resource]);
        return [...words].map(word => ({ word, entry: entries[i]! }));
      }),
      it => it.word,
    ),
  );
  const keys = kube.apiLives().map(key => {
    const [apiVersion = '', kind = ''] = key.split(' ');
    return { group: groupOf(apiVersion), apiVersion, kind };
  });
  const lives = lazy(() => {
    const all = keys.flatMap(({ group, apiVersion, kind }) => {
      const life = kube.apiLife(apiVersion, kind);
      if (life === undefined || !isThere(life)) return [];
      const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
      const isGone = life.gone !== undefined && isUpTo(life.gone, kube.minor);
      return [{ key: `${group} ${nameOfKind(kind)}`, version, isGone }];
    });
    return grouped(all, it => it.key);
  });
  return {
    ofGroup: group => byGroup.get(group) ?? [],
    named: it => byName.get(it) ?? [],
    meant: text => (byMeaning().get(text.toLowerCase()) ?? []).map(it => it.entry),
    ownGroups: new Set(keys.map(it => it.group)),
    life: (group, ofName, version) => {
      const all = lives()
        .get(`${group} ${ofName}`)
        ?.filter(it => version === undefined || it.version === version);
      if (all === undefined || all.length === 0) return undefined;
      return all.every(it => it.isGone) ? 'gone' : 'to come';
    },
  };
}
