/**
 * The kinds of Berth's own files, described like those of Kubernetes, so that every feature of the editor supports
 * them.
 */

type Shape =
  | { readonly ref: string }
  | { readonly type: 'map'; readonly values: Shape }
  | { readonly type: 'list'; readonly items: Shape }
  | { readonly type: 'string'; readonly enum?: readonly string[] }
  | { readonly type: 'integer' | 'number' | 'boolean' | 'any' };

const string = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const boolean = { type: 'boolean' } as const;
const any = { type: 'any' } as const;
const oneOf = (...words: readonly string[]): Shape => ({ type: 'string', enum: words });
const list = (items: Shape): Shape => ({ type: 'list', items });
const map = (values: Shape): Shape => ({ type: 'map', values });
const ref = (name: string): Shape => ({ ref: `dev.berth.v1alpha1.${name}` });

interface OwnField {
  readonly schema: Shape;
  readonly text: string;
  readonly required?: true;
}

interface OwnDefinition {
  readonly text: string;
  readonly fields: Readonly<Record<string, OwnField>>;
}

const field = (schema: Shape, text: string): OwnField => ({ schema, text });
const required = (schema: Shape, text: string): OwnField => ({ schema, text, required: true });

const METADATA = field({ ref: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }, 'Its name, for people.');
const HEAD = {
  apiVersion: required(oneOf('berth.dev/v1alpha1'), 'The version of this format.'),
  kind: required(string, 'What the file is.'),
  metadata: METADATA,
};

const DEFINITIONS: Readonly<Record<string, OwnDefinition>> = {
  PlacementTest: {
    text: 'Tests of where Pods land: run by `berth test` and by the test explorer.',
    fields: {
      ...HEAD,
      cluster: field(
        string,
        'Where the cluster comes from: `auto`, `default`, `kind:FILE`, `snapshot:FILE` or `live:CONTEXT`; files from the folder of this one. Without it the Nodes of the manifests count, else the example cluster.',
      ),
      manifests: field(
        list(string),
        'Files and folders that are deployed, from the folder of this file; that folder when left out.',
      ),
      kubernetesVersion: field(string, 'The version whose API server and scheduler are asked: `1.37` or `1.37.2`.'),
      featureGates: field(map(boolean), 'Gates that differ from the defaults of the minor.'),
      tests: required(list(ref('Test')), 'Each a name, what happens first, and what is expected.'),
    },
  },
  Test: {
    text: 'One test.',
    fields: {
      name: required(string, 'Unlike those of the other tests of the file.'),
      changes: field(list(ref('Change')), 'What happens to the cluster first, one after the other.'),
      expect: required(list(ref('Expectation')), 'All of it must come true.'),
    },
  },
  Change: {
    text: 'One thing that happens to the cluster, or to what is deployed on it.',
    fields: {
      nodeDown: field(string, 'A node is gone with its Pods; those with a controller are created again.'),
      zoneDown: field(string, 'Every node of a zone (`topology.kubernetes.io/zone`) is gone.'),
      drain: field(
        string,
        'A node takes no more Pods, and those on it are evicted, but for DaemonSets’ and static ones.',
      ),
      cordon: field(string, 'A node takes no more Pods.'),
      scale: field(ref('Scale'), 'A workload gets a number of replicas.'),
      scaleBy: field({ type: 'any' }, 'Workloads get so many times what they have: a number, or `{ factor, object }`.'),
      remove: field(string, 'An object is deleted: `Deployment/web`, `prod/Deployment/web`.'),
      apply: field(string, 'Manifests, as text, that are new or take the place of others.'),
    },
  },
  Scale: {
    text: 'A number of replicas.',
    fields: { object: required(string, '`Deployment/web`.'), replicas: required(integer, 'How many it shall have.') },
  },
  Expectation: {
    text: 'One thing that must be true.',
    fields: {
      scheduled: field({ type: 'any' }, 'Each of these Pods has a node: `all`, or `{ workload, namespace, labels }`.'),
      pending: field({ type: 'any' }, 'None of these Pods has one.'),
      spread: field(ref('Spread'), 'How they are spread over nodes, zones or another label.'),
      landOn: field(ref('LandOn'), 'They are on nodes with these labels.'),
      victims: field(ref('Victims'), 'So many of them are evicted at most; none when left out.'),
      fits: field({ type: 'any' }, '`withAnyNodeDown` or `inAnyOrder`, or `{ even, pods }`: they fit all the same.'),
      whatever: field(
        { type: 'any' },
        '`order`, `ties`, `oneNodeDown` or `drain`, or `{ happens, pods, holds }`: they have nodes, or the CEL is true, in everything that could happen; or a question about controllers, such as `rollout`.',
      ),
      refused: field(ref('Refused'), 'The API server refuses an object.'),
      unmoved: field(boolean, 'Every Pod is where it was when `berth test --update` last accepted it.'),
      holds: field(string, 'CEL over `pods`, `nodes` and `evicted` that must be true.'),
    },
  },
  Pods: {
    text: 'Some Pods; what is left out leaves nothing out.',
    fields: {
      workload: field(string, '`Deployment/web`, or the name of a Pod.'),
      namespace: field(string, 'Theirs.'),
      labels: field(map(string), 'All of these.'),
    },
  },
  Spread: {
    text: 'Bounds of a spread.',
    fields: {
      pods: field(ref('Pods'), 'All when left out.'),
      over: field(string, '`node`, `zone`, `region`, or the label of a node.'),
      atLeast: field(integer, 'They are in so many domains at least.'),
      maxPerDomain: field(integer, 'No domain has more of them.'),
      maxSkew: field(integer, 'Between the fullest domain and the emptiest.'),
    },
  },
  LandOn: {
    text: 'Nodes that Pods must be on.',
    fields: { pods: field(ref('Pods'), 'All when left out.'), nodes: required(map(string), 'Labels of the nodes.') },
  },
  Victims: {
    text: 'Pods that may be evicted.',
    fields: { pods: field(ref('Pods'), 'All when left out.'), atMost: field(integer, 'None when left out.') },
  },
  Refused: {
    text: 'An object that the API server must refuse, and why.',
    fields: {
      object: required(string, '`PriorityClass/high`.'),
      field: field(string, 'The field that it complains of.'),
      message: field(string, 'Part of what it says.'),
      code: field(string, 'The code under which `berth check` tells it.'),
    },
  },
  System: {
    text: 'Processes over shared variables: `berth explore` visits every state that they can reach.',
    fields: { ...HEAD, spec: required(ref('SystemSpec'), 'What there is, what it does, and what must be true.') },
  },
  SystemSpec: {
    text: 'A system of processes. A value is an integer, a boolean, or a text with an expression.',
    fields: {
      constants: field(map(any), 'Integers, booleans or expressions over other constants.'),
      variables: field(
        map(any),
        'Shared by all processes, each with its value at the start; an array is `{ size, value }` or `{ size, values }`.',
      ),
      processes: required(list(ref('SystemProcess')), 'At least one.'),
      properties: field(list(ref('SystemProperty')), 'What must be true of every way that the processes can go.'),
    },
  },
  SystemProcess: {
    text: 'A process: locations, and the steps between them.',
    fields: {
      name: required(string, 'A name for `at()` and for traces.'),
      copies: field(any, 'How many there are, 1 when left out; `i` is the index of a copy, from 0.'),
      variables: field(map(any), 'Each copy has its own; their values at the start may use `i`.'),
      start: required(string, 'The location in which it starts.'),
      halt: field(list(string), 'Locations in which it may rest for ever; none when left out.'),
      steps: required(list(ref('SystemStep')), 'What it can do; each is taken in one go.'),
    },
  },
  SystemStep: {
    text: 'A step of a process, possible when the process is at `from` and `when` is true.',
    fields: {
      name: required(string, 'What traces call it.'),
      from: required(string, 'The location in which it is possible.'),
      to: field(string, 'The location after it; the same when left out.'),
      when: field(any, 'A condition on the variables; true when left out.'),
      set: field(map(any), 'New values, all computed in the old state: `count: "count + 1"`, `"fork[i]": 0`.'),
    },
  },
  SystemProperty: {
    text: 'Something that must be true; it has exactly one kind beside its name.',
    fields: {
      name: required(string, 'Unlike those of the other properties.'),
      never: field(any, 'A condition that is true in no state.'),
      atEnd: field(
        any,
        'A condition that is true in each state in which nothing is left to do and every process may rest.',
      ),
      canAlwaysReach: field(any, 'A condition: from every state some way leads to one in which it is true.'),
      progress: field(
        list(string),
        'Names of steps: every cycle contains one of them, so that nothing goes round for ever without.',
      ),
      fairness: field(
        oneOf('weak'),
        'Of progress: a cycle on which some process could always go on and never does is none.',
      ),
    },
  },
  ScenarioOptions: {
    text: 'How `berth place` runs the scenario that this stands in.',
    fields: {
      ...HEAD,
      featureGates: field(map(boolean), 'Gates that differ from the defaults of the minor.'),
      victims: field(oneOf('delete', 'terminate'), 'A victim goes at once, or stays with a deletionTimestamp.'),
      retry: field(oneOf('immediate', 'end', 'none'), 'When a Pod that preempted is tried again.'),
      expandWorkloads: field(
        boolean,
        'Whether controllers run: the Pods of workloads are made that the scenario does not hold, new volumes become available.',
      ),
      usage: field(list(ref('UsageAssumption')), 'What Pods use, for what autoscalers may do (`berth explore`).'),
      enableAdmissionPlugins: field(list(string), 'As kube-apiserver’s flag of that name.'),
      disableAdmissionPlugins: field(list(string), 'As kube-apiserver’s flag of that name.'),
    },
  },
  UsageAssumption: {
    text: 'What one Pod of a workload uses from its start.',
    fields: {
      workload: required(string, '`Deployment/web`'),
      cpu: field(any, 'A quantity, or a list of them: one a round of the autoscaler (15 s), the last from then on.'),
      memory: field(any, 'The same.'),
    },
  },
};

const PREFIX = 'dev.berth.v1alpha1.';

/** In the form of the packs. */
export const OWN_KINDS = ['PlacementTest', 'ScenarioOptions', 'System'].map(kind => ({
  group: 'berth.dev',
  version: 'v1alpha1',
  kind,
  resource: kind.toLowerCase(),
  namespaced: false,
  served: 'on' as const,
  definition: `${PREFIX}${kind}`,
}));

/** The fields of one of Berth's own definitions. */
export function ownFields(definition: string): OwnDefinition['fields'] | undefined {
  const name = definition.startsWith(PREFIX) ? definition.slice(PREFIX.length) : '';
  return Object.hasOwn(DEFINITIONS, name) ? DEFINITIONS[name]?.fields : undefined;
}

/** The description of one of Berth's own definitions, or of one of its fields. */
export function ownDescription(definition: string, name = ''): string | undefined {
  const fields = ownFields(definition);
  if (fields === undefined) return undefined;
  if (name === '') return DEFINITIONS[definition.slice(PREFIX.length)]?.text;
  return Object.hasOwn(fields, name) ? fields[name]?.text : undefined;
}
