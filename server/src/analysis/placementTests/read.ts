import type { UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import { lazyByObject } from '../../base/lazy';
import { ownOf } from '../../base/ownOf';
import { printed } from '../../base/printed';
import type { ClusterChange, ObjectName } from '../../cluster/changes';
import { CLUSTER_QUESTIONS } from '../../explore/cluster/answer';
import { errorsIn } from '../../manifest/errors';
import type { ManifestFile } from '../../manifest/manifest';
import { parseManifests } from '../../manifest/parse';
import type {
  Because,
  Expectation,
  Expected,
  FormatProblem,
  PlacementTest,
  PlacementTestFile,
  PodSelector,
} from './format';
import { type FieldLocation, placeIn } from './shape';

export const API_VERSION = 'berth.dev/v1alpha1';
export const KIND = 'PlacementTest';

/** Fields of the file, of a test, and the words that a change or an expectation may begin with; one place for all readers. */
export const FIELDS = {
  file: ['apiVersion', 'kind', 'metadata', 'cluster', 'manifests', 'kubernetesVersion', 'featureGates', 'tests'],
  test: ['name', 'changes', 'expect'],
  change: ['nodeDown', 'zoneDown', 'drain', 'cordon', 'scale', 'scaleBy', 'remove', 'apply'],
  expectation: [
    'scheduled',
    'pending',
    'spread',
    'landOn',
    'victims',
    'fits',
    'whatever',
    'refused',
    'unmoved',
    'holds',
  ],
  pods: ['workload', 'namespace', 'labels'],
  spread: ['pods', 'over', 'atLeast', 'maxPerDomain', 'maxSkew'],
  landOn: ['pods', 'nodes'],
  victims: ['pods', 'atMost'],
  fits: ['pods', 'even'],
  whatever: ['pods', 'happens', 'holds'],
  refused: ['object', 'field', 'message', 'code'],
  scale: ['object', 'replicas'],
  scaleBy: ['object', 'factor'],
} as const;

const EVEN = ['withAnyNodeDown', 'inAnyOrder'] as const;
const HAPPENS = ['order', 'ties', 'oneNodeDown', ...CLUSTER_QUESTIONS] as const;

/** Reads a placement test, each file once. Never throws: invalid parts are reported with their location and left out. */
export const readPlacementTest = lazyByObject(placementTestIn);

function placementTestIn(file: ManifestFile): PlacementTestFile {
  const problems: FormatProblem[] = [];
  const nothing = { uri: file.uri, manifests: ['.'], featureGates: {}, tests: [], problems };
  for (const { problems: ofText } of file.documents) {
    for (const { message, span, severity } of ofText)
      if (severity === 'error') problems.push({ clause: message, span });
  }
  if (problems.length > 0) return nothing;
  const [object, second] = file.documents.flatMap(it => it.objects);
  if (object === undefined) {
    if (problems.length === 0)
      problems.push({ clause: t('there is no placement test in it'), span: { start: 0, end: 0 } });
    return nothing;
  }
  if (second !== undefined) problems.push({ clause: t('a file holds one placement test'), span: second.span });
  const root = placeIn(object, problems);
  root.mapping(FIELDS.file);
  if (root.child('apiVersion').value !== API_VERSION) root.child('apiVersion').tell(t`must be ${API_VERSION}`);
  if (root.child('kind').value !== KIND) root.child('kind').tell(t`must be ${KIND}`);
  const cluster = root.child('cluster').text();
  const version = root.child('kubernetesVersion').value;
  const manifests = root
    .child('manifests')
    .items()
    .flatMap(it => it.text() ?? []);
  return {
    ...nothing,
    ...(cluster !== undefined && { cluster }),
    ...(version !== undefined && version !== null && { kubernetesVersion: printed(version) }),
    ...(manifests.length > 0 && { manifests }),
    featureGates: root.child('featureGates').flags(),
    tests: testsOf(root.child('tests')),
  };
}

function testsOf(list: FieldLocation): readonly PlacementTest[] {
  if (list.value === undefined) list.tell(t('must list tests: each a name and what to expect'));
  const names = new Set<string>();
  return list.items().flatMap(it => {
    it.mapping(FIELDS.test);
    const name = it.child('name').text();
    if (name === undefined) {
      it.tell(t('needs a name'));
      return [];
    }
    if (names.has(name)) it.child('name').tell(t('is the name of another test too'));
    names.add(name);
    const expected = it.child('expect').items();
    const expect = expected.flatMap(expectedOf);
    if (expected.length === 0) it.tell(t('expects nothing, so that it could not fail'));
    const changes = it.child('changes').items().flatMap(changeOf);
    return [{ name, span: it.child('name').span, changes, expect }];
  });
}

/** The one field of a change or an expectation; its name is the kind. */
function wordOf<T extends string>(place: FieldLocation, words: readonly T[]): T | undefined {
  const given = Object.keys(place.mapping(words));
  const known = words.filter(it => given.includes(it));
  if (known.length !== 1 && given.length === known.length) place.tell(t`must have one of: ${words.join(', ')}`);
  return known.length === 1 ? known[0] : undefined;
}

function changeOf(place: FieldLocation): readonly ClusterChange[] {
  const word = wordOf(place, FIELDS.change);
  if (word === undefined) return [];
  const change = CHANGES[word](place.child(word));
  return change === undefined ? [] : [change];
}

const CHANGES: Readonly<Record<(typeof FIELDS.change)[number], (at: FieldLocation) => ClusterChange | undefined>> = {
  nodeDown: at => withText(at, node => ({ do: 'nodeDown', node })),
  zoneDown: at => withText(at, zone => ({ do: 'zoneDown', zone })),
  drain: at => withText(at, node => ({ do: 'drain', node })),
  cordon: at => withText(at, node => ({ do: 'cordon', node })),
  scale(at) {
    at.mapping(FIELDS.scale);
    const object = objectNameOf(at.child('object'));
    const replicas = at.child('replicas').count(0);
    if (replicas === undefined) at.tell(t('needs replicas'));
    return object && replicas !== undefined ? { do: 'scale', object, replicas } : undefined;
  },
  scaleBy(at) {
    const isFactor = typeof at.value === 'number';
    if (!isFactor) at.mapping(FIELDS.scaleBy);
    const factor = isFactor ? at.value : at.child('factor').value;
    const object = at.child('object').value === undefined ? undefined : objectNameOf(at.child('object'));
    if (typeof factor === 'number' && factor >= 0 && Number.isFinite(factor))
      return { do: 'scaleBy', factor, ...(object && { object }) };
    at.tell(t('needs a factor, a number from 0'));
    return undefined;
  },
  remove(at) {
    const object = objectNameOf(at);
    return object && { do: 'remove', object };
  },
  apply(at) {
    const text = at.text();
    if (text === undefined) return undefined;
    const file = parseManifests('apply', text);
    const [wrong] = errorsIn(file);
    if (wrong !== undefined) at.tell(t`holds no manifests: ${wrong.message}`);
    return {
      do: 'apply',
      objects: file.documents.flatMap(it => it.objects.map(object => object.value as UnknownObject)),
    };
  },
};

function withText(at: FieldLocation, make: (text: string) => ClusterChange): ClusterChange | undefined {
  const text = at.text();
  return text === undefined ? undefined : make(text);
}

/** `Deployment/web` or `prod/Deployment/web`. */
function objectNameOf(at: FieldLocation): ObjectName | undefined {
  const parts = at.text()?.split('/') ?? [];
  const [name = '', kind = '', namespace] = parts.toReversed();
  if (parts.length === 2) return { kind, name };
  if (parts.length === 3 && namespace !== undefined) return { kind, name, namespace };
  at.tell(t('must look like Deployment/web or prod/Deployment/web'));
  return undefined;
}

function expectedOf(place: FieldLocation): readonly Expected[] {
  const word = wordOf(place, FIELDS.expectation);
  if (word === undefined) return [];
  const expectation = EXPECTATIONS[word](place.child(word));
  return expectation === undefined ? [] : [{ expectation, span: place.span }];
}

const EXPECTATIONS: Readonly<
  Record<(typeof FIELDS.expectation)[number], (at: FieldLocation) => Expectation | undefined>
> = {
  scheduled: at => ({ kind: 'scheduled', pods: selectorOf(at) }),
  pending: at => ({ kind: 'pending', pods: selectorOf(at) }),
  spread(at) {
    at.mapping(FIELDS.spread);
    const [atLeast, maxPerDomain, maxSkew] = [
      at.child('atLeast').count(1),
      at.child('maxPerDomain').count(1),
      at.child('maxSkew').count(0),
    ];
    if (atLeast === undefined && maxPerDomain === undefined && maxSkew === undefined)
      at.tell(t('needs atLeast, maxPerDomain or maxSkew'));
    const bounds = {
      ...(atLeast !== undefined && { atLeast }),
      ...(maxPerDomain !== undefined && { maxPerDomain }),
      ...(maxSkew !== undefined && { maxSkew }),
    };
    const over = at.child('over').text() ?? 'node';
    return { kind: 'spread', pods: selectorOf(at.child('pods')), over: ownOf(TOPOLOGIES, over) ?? over, bounds };
  },
  landOn(at) {
    at.mapping(FIELDS.landOn);
    const nodes = at.child('nodes').texts();
    if (Object.keys(nodes).length === 0) at.tell(t('needs nodes: the labels that they have'));
    return { kind: 'landOn', pods: selectorOf(at.child('pods')), nodes };
  },
  victims(at) {
    at.mapping(FIELDS.victims);
    return { kind: 'victims', pods: selectorOf(at.child('pods')), atMost: at.child('atMost').count(0) ?? 0 };
  },
  fits(at) {
    const isWord = typeof at.value === 'string';
    if (!isWord) at.mapping(FIELDS.fits);
    const even = (isWord ? at : at.child('even')).oneOf(EVEN);
    return even && { kind: 'fits', pods: selectorOf(isWord ? undefined : at.child('pods')), even };
  },
  whatever(at) {
    const isWord = typeof at.value === 'string';
    if (!isWord) at.mapping(FIELDS.whatever);
    const happens = (isWord ? at : at.child('happens')).oneOf(HAPPENS);
    const holds = isWord ? undefined : at.child('holds').text();
    if (holds !== undefined && happens !== 'order') at.child('holds').tell(t('goes with `happens: order` only'));
    const pods = selectorOf(isWord ? undefined : at.child('pods'));
    return happens && { kind: 'whatever', pods, happens, ...(holds !== undefined && { holds }) };
  },
  refused(at) {
    at.mapping(FIELDS.refused);
    const object = at.child('object').text();
    if (object === undefined) at.tell(t('needs an object, such as PriorityClass/high'));
    const because: Because = Object.fromEntries(
      (['field', 'message', 'code'] as const).flatMap(it => {
        const text = at.child(it).text();
        return text === undefined ? [] : [[it, text]];
      }),
    );
    return object === undefined ? undefined : { kind: 'refused', object, because };
  },
  unmoved(at) {
    if (at.value === true) return { kind: 'unmoved' };
    at.tell(t('must be true'));
    return undefined;
  },
  holds(at) {
    const expression = at.text();
    return expression === undefined ? undefined : { kind: 'holds', expression };
  },
};

const TOPOLOGIES: Readonly<Record<string, string>> = {
  node: 'kubernetes.io/hostname',
  zone: 'topology.kubernetes.io/zone',
  region: 'topology.kubernetes.io/region',
};

/** `all` or nothing is every Pod. */
function selectorOf(at: FieldLocation | undefined): PodSelector {
  if (at === undefined || at.value === undefined || at.value === null || at.value === 'all') return {};
  at.mapping(FIELDS.pods);
  const [workload, namespace] = [at.child('workload').text(), at.child('namespace').text()];
  const labels = at.child('labels').texts();
  return {
    ...(workload !== undefined && { workload }),
    ...(namespace !== undefined && { namespace }),
    ...(Object.keys(labels).length > 0 && { labels }),
  };
}
