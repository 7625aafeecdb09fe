import { t } from '../../base/l10n';
import { lazyByObject } from '../../base/lazy';
import { grouped } from '../../base/multiMap';
import { nearestNames } from '../../base/nearest';
import { quoted } from '../../base/quoted';
import type { ApiLife, KindInfo, Kube } from '../../kube/kube';
import { rewriteReason } from '../../kube/removedApis';
import { removedConfiguration } from '../../kube/scheduler/versions';
import { adviceFor, isUpTo, successorOf } from '../../kube/successor';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { migrationFixes } from '../migrations/fix';

interface Facts {
  readonly apiVersion: string;
  readonly kind: string;
  readonly life: ApiLife | undefined;
  readonly nearest: readonly string[];
  /** Kinds of that name, or nearly, in other versions of a group that has none in this version. */
  readonly elsewhere: readonly { readonly apiVersion: string; readonly kind: string }[];
  /** Versions of the API that have the kind. */
  readonly versions: readonly string[];
}

/** Kinds of `v1` that are files of tools and never sent to a server as they are. */
const TOOL_KINDS = ['Config', 'List'];

/** The group of Berth's own files. */
const OWN_GROUP = 'berth.dev';

const isOwn = (apiVersion: string): boolean => apiVersion.startsWith(`${OWN_GROUP}/`);

/** The first document of what `berth snapshot` writes; no schema describes it. */
const SNAPSHOT = { apiVersion: `${OWN_GROUP}/v1alpha1`, kind: 'ClusterSnapshot' };

export default defineRule<Facts>({
  meta: {
    code: 'decode/unknown-kind',
    category: 'decode',
    severity: 'error',
    cost: 'typing',
    summary: 'The chosen Kubernetes version has no such kind in this API version.',
    why: 'The API server does not know the object and refuses it. API versions are removed after their deprecation.',
    remedy: 'Use the API version and kind that this Kubernetes version serves.',
    details:
      'API groups that are not built in belong to custom resources, or to files of other tools: they are left alone. The quick fix of a removed version writes the one that takes its place and moves fields where that is mechanical, such as the backends of an Ingress or the metrics of a HorizontalPodAutoscaler. In the group `berth.dev` only the kinds of Berth itself are known.',
    source: { project: 'kubernetes', symbol: 'runtime.Scheme.New', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/reference/using-api/deprecation-guide/',
  },
  on: 'any',

  *check({ object, value, kind }, { kube }) {
    const { apiVersion, group, version } = object;
    if (removedConfiguration(value) !== undefined) return;
    if (kind !== undefined || apiVersion === '' || object.kind === '') return;
    if (group === '' && version === 'v1' && TOOL_KINDS.includes(object.kind)) return;
    if (apiVersion === SNAPSHOT.apiVersion && object.kind === SNAPSHOT.kind) return;
    const life = lifeOf(apiVersion, object.kind, kube);
    const own = ownKinds(kube);
    const inGroup = own.byGroup.get(group) ?? [];
    if (life === undefined && inGroup.length === 0 && (group.includes('.') || isForeign(group, object.kind, own)))
      return;
    if (object.kind.endsWith('List') && kube.kindOf(apiVersion, object.kind.slice(0, -4)) !== undefined) return;
    const here = inGroup.filter(it => it.version === version).map(it => it.kind);
    const versions = own.all
      .filter(it => it.kind === object.kind && it.served === 'on')
      .map(it => (it.group === '' ? it.version : `${it.group}/${it.version}`));
    const nearest = nearestNames(object.kind, here).slice(0, 3);
    const elsewhere = here.length + versions.length > 0 ? [] : nearestElsewhere(object.kind, inGroup);
    yield {
      at: FieldPath.of(here.length > 0 && versions.length === 0 ? 'kind' : 'apiVersion'),
      part: 'value',
      errorType: 'NoKind',
      facts: { apiVersion, kind: object.kind, life, nearest, elsewhere, versions },
    };
  },

  message: ({ facts: { apiVersion, kind, life, nearest, elsewhere, versions } }, { kube }) => {
    const what = t`${isOwn(apiVersion) ? 'Berth' : `Kubernetes ${kube.minor}`} has no kind ${quoted(kind)} in ${quoted(apiVersion)}`;
    if (life?.gone !== undefined && isUpTo(life.gone, kube.minor)) {
      return t`${apiVersion} ${kind} was removed in Kubernetes ${life.gone}${insteadOf(apiVersion, kind, kube)}`;
    }
    if (life?.introduced !== undefined && !isUpTo(life.introduced, kube.minor)) {
      return t`${apiVersion} ${kind} is new in Kubernetes ${life.introduced}; ${kube.minor} does not have it`;
    }
    if (versions.length > 0) return t`${what}; it is in ${versions.join(', ')}`;
    if (nearest[0] !== undefined) return t`${what}; did you mean ${quoted(nearest[0])}?`;
    const [other] = elsewhere;
    return other === undefined ? what : t`${what}; did you mean ${quoted(other.kind)} in ${quoted(other.apiVersion)}?`;
  },

  fixes({ facts }, target, { kube }, edit) {
    const { object } = target;
    const migrations = facts.life === undefined ? [] : migrationFixes(target, kube, edit);
    const isReplaced = successorOf(facts.apiVersion, facts.kind, kube)?.info !== undefined;
    return [
      ...migrations,
      // The fields of another version can differ, so that only the author knows whether the version is all that must
      // change.
      ...(facts.life !== undefined && isReplaced ? [] : facts.versions).map(version => ({
        title: t`Change apiVersion to ${version}`,
        safety: 'unsafe' as const,
        edits: [edit.replaceValue(object, FieldPath.of('apiVersion'), version)],
      })),
      ...facts.nearest.map(kind => ({
        title: t`Change kind to ${kind}`,
        safety: kind.toLowerCase() === facts.kind.toLowerCase() ? ('safe' as const) : ('unsafe' as const),
        edits: [edit.replaceValue(object, FieldPath.of('kind'), kind)],
      })),
      ...facts.elsewhere.map(({ apiVersion, kind }) => ({
        title: t`Change to ${kind} of ${apiVersion}`,
        safety: 'unsafe' as const,
        edits: [
          edit.replaceValue(object, FieldPath.of('apiVersion'), apiVersion),
          edit.replaceValue(object, FieldPath.of('kind'), kind),
        ],
      })),
    ];
  },
});

/** The kinds that no custom resource defines. Asked for each object of an unknown kind. */
const ownKinds = lazyByObject((kube: Kube) => {
  const all = kube.kinds().filter(it => it.origin === 'built-in' || it.group === OWN_GROUP);
  return { all, byGroup: grouped(all, it => it.group) };
});

/**
 * Whether an object of a group without a dot belongs to another tool, such as a `Config` of skaffold/v4: Kubernetes has
 * no such kind, and the group is not a misspelt one.
 */
function isForeign(group: string, kind: string, { all, byGroup }: ReturnType<typeof ownKinds>): boolean {
  const groups = [...byGroup.keys()].filter(it => it !== '' && !it.includes('.'));
  return all.every(it => it.kind !== kind) && nearestNames(group, groups).length === 0;
}

/** The served kinds of a group whose names are like one, with their API versions. */
function nearestElsewhere(kind: string, inGroup: readonly KindInfo[]): Facts['elsewhere'] {
  const served = inGroup.filter(it => it.served === 'on');
  const names = nearestNames(kind, new Set(served.map(it => it.kind))).slice(0, 3);
  return names.flatMap(name => {
    const found = served.find(it => it.kind === name);
    return found === undefined ? [] : [{ apiVersion: `${found.group}/${found.version}`, kind: name }];
  });
}

/** What to use in place of a kind that is gone: a clause, or nothing where nothing is known. */
function insteadOf(apiVersion: string, written: string, kube: Kube): string {
  const kind = isListOf(apiVersion, written, kube) ? written.slice(0, -LIST.length) : written;
  const successor = successorOf(apiVersion, kind, kube);
  if (successor !== undefined) {
    const why = rewriteReason(apiVersion, kind, successor.apiVersion);
    const use = t`; use ${successor.apiVersion} ${`${successor.kind}${kind === written ? '' : LIST}`}`;
    return why === undefined ? use : use + t` (to be written anew: ${why})`;
  }
  const advice = adviceFor(apiVersion, kind, kube);
  return advice === undefined ? '' : `; ${advice}`;
}

const LIST = 'List';

const isListOf = (apiVersion: string, kind: string, kube: Kube): boolean =>
  kind.endsWith(LIST) && kube.apiLife(apiVersion, kind) === undefined;

/** The life of a kind; that of its items for a list such as RoleList. */
function lifeOf(apiVersion: string, kind: string, kube: Kube): ApiLife | undefined {
  return kube.apiLife(apiVersion, isListOf(apiVersion, kind, kube) ? kind.slice(0, -LIST.length) : kind);
}
