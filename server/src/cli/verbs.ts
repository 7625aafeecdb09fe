import type { Command } from 'commander';
import { CLUSTER_SOURCES } from '../analysis/clusters';
import { newestMinor, supportedMinors } from '../analysis/metadata';
import { SEVERITIES } from '../analysis/problems';
import { printableJson } from '../text/printable';
import { EXIT, type ExitCode } from './exit';
import { ALLOW_EXEC, ALLOW_OUTSIDE, createBorders } from './input/borders';
import {
  CATEGORIES,
  CHECK_FORMATS,
  CHECK_LIMITS,
  EXPLORE_FORMATS,
  PLACE_FORMATS,
  PLACE_LIMITS,
  SCENARIO_QUESTIONS,
  TEST_FORMATS,
  UPGRADE_FORMATS,
  WHAT_IF_LIMITS,
} from './input/options';
import { CONTRACT } from './render/json';
import { type BaselineFlags, baseline } from './verbs/baseline';
import { type CheckFlags, check } from './verbs/check';
import { completion, SHELLS } from './verbs/completion';
import { explain } from './verbs/explain';
import { explore } from './verbs/explore';
import type { ExploreFlags } from './verbs/exploreRequest';
import { type PlaceFlags, place } from './verbs/place';
import { type PolicyTestFlags, policyTest } from './verbs/policyTest';
import { type SnapshotFlags, snapshot } from './verbs/snapshot';
import { type TestFlags, test } from './verbs/test';
import { type UpgradeFlags, upgrade } from './verbs/upgrade';
import { type WhatIfFlags, whatIf } from './verbs/whatIf';
import type { CliWorld, OuterWorld } from './world';

/** undefined: the language server has taken over, and the process ends when its client leaves. */
export type VerbExit = ExitCode | undefined;

/** Adds one verb to the program; `end` receives its exit code. */
type Verb = (berth: Command, world: OuterWorld, end: (ending: VerbExit) => void) => void;

const checkVerb: Verb = (berth, world, end) => {
  withVersion(berth.command('check'))
    .summary('say what is wrong with manifests')
    .description('Says what is wrong with the manifests of files, folders (ignore files count) or standard input (-).')
    .argument('[PATH...]', 'files, folders or -; the present folder when there is none')
    .option(
      '--pod-security <LEVELS>',
      'what namespaces without labels enforce: restricted, or enforce=baseline:v1.30,warn=…',
    )
    .option('--only <CATEGORIES>', `only these categories, with commas between: ${CATEGORIES.join(', ')}`)
    .option('--config <FILE>', 'a configuration in place of the berth.yaml in or above the paths')
    .option('--environment <NAME>', 'only this environment of berth.yaml')
    .option('--format <FORMAT>', CHECK_FORMATS.join(', '), 'text')
    .option('--preset <NAMES>', 'sets of opinions that are asked for: best-practice')
    .option('--baseline <FILE>', 'what `berth baseline` wrote: problems that it knows are not told')
    .option('--max-problems <N>', 'list so many problems of a file with one code and count the others', '1000')
    .option('--min-severity <SEVERITY>', `list problems from this severity on: ${SEVERITIES.join(', ')}`)
    .option('--quiet', 'text: a line for each problem, and nothing else')
    .option('--verbose', 'text: also what stands behind each sentence, as the words of the API server')
    .option('--show-suppressed', 'tell also what is silenced, each with its reason')
    .option('--fail-on <SEVERITY>', `exit with 1 from this severity on: ${CHECK_LIMITS.join(', ')}`, 'error')
    .option('--jobs <N>', 'check in at most N threads; one when not given')
    .option('--shard <I/N>', 'speak of the I-th of N parts of the files only')
    .option('--require <WHAT>', 'exit with 2 when it was not done: policies')
    .option('--render', 'judge what kustomize and helm make of the files; both must be installed')
    .action(async (paths: readonly string[], flags: CheckFlags & BorderFlags) =>
      end(await check(paths, flags, bordered(world, flags))),
    );
};

const placeVerb: Verb = (berth, world, end) => {
  withVersion(berth.command('place'))
    .summary('say where Pods will land, and why')
    .description('Runs the scheduler over scenarios: files or folders that hold a cluster and Pods to place.')
    .argument('[SCENARIO...]', 'files, folders or -, each a scenario of its own; the present folder when there is none')
    .option('--config <FILE>', 'a configuration in place of the berth.yaml in or above the paths')
    .option(
      '--environment <NAME>',
      'place with the settings of this environment of berth.yaml, its files without SCENARIO',
    )
    .option('--scheduler-config <FILE>', 'a KubeSchedulerConfiguration in place of the scenario’s own')
    .option(
      '--ask-extenders',
      'send the Pods and Nodes to the extenders of the scheduler configuration, over the network',
    )
    .option('--format <FORMAT>', PLACE_FORMATS.join(', '), 'text')
    .option('--fail-on <WHAT>', `exit with 1 for: ${PLACE_LIMITS.join(', ')}`, 'unschedulable')
    .option('--suggest', 'say for Pods without a node what to change, tried out by placing everything anew')
    .option('--render', 'place what kustomize and helm make of the files; both must be installed')
    .option('--compare', 'set default, pack, spread and the best possible placement side by side')
    .option(
      '--time-limit <SECONDS>',
      'stop after so many seconds for each scenario, and tell what is known by then',
      '60',
    )
    .option('--explain <POD>', 'tell the decision about one Pod, NAME or NAMESPACE/NAME, in sentences')
    .option('--verbose', 'text: what every node said')
    .action(async (paths: readonly string[], flags: PlaceFlags & BorderFlags) =>
      end(await place(paths, flags, bordered(world, flags))),
    );
};

const upgradeVerb: Verb = (berth, world, end) => {
  withCluster(withBorders(berth.command('upgrade')))
    .summary('say what an upgrade of Kubernetes changes for manifests')
    .description(
      'Says what becomes of the manifests of files, folders or standard input (-) from one Kubernetes version to another.',
    )
    .argument('[PATH...]', 'files, folders or -; the present folder when there is none')
    .option('--from <VERSION>', 'the version that runs now, such as 1.34.2; that of the environment when not given')
    .option('--to <VERSION>', `the version to go to, one of ${supportedMinors.join(', ')}`, newestMinor)
    .option('--feature-gates <LIST>', 'A=true,B=false, over the defaults of each minor')
    .option('--pod-security <LEVELS>', 'what namespaces without labels enforce: restricted, or enforce=baseline,warn=…')
    .option('--only <CATEGORIES>', `only problems of these categories, with commas between: ${CATEGORIES.join(', ')}`)
    .option('--config <FILE>', 'a configuration in place of the berth.yaml in or above the paths')
    .option('--environment <NAME>', 'only this environment of berth.yaml')
    .option('--format <FORMAT>', UPGRADE_FORMATS.join(', '), 'text')
    .option('--fail-on <SEVERITY>', `exit with 1 from this severity on: ${CHECK_LIMITS.join(', ')}`, 'error')
    .option('--render', 'judge what kustomize and helm make of the files; both must be installed')
    .option('--unsaved', 'for editors: take texts of files from standard input, in JSON as {"PATH": "TEXT"}')
    .action(async (paths: readonly string[], flags: UpgradeFlags & BorderFlags) =>
      end(await upgrade(paths, flags, bordered(world, flags))),
    );
};

const whatIfVerb: Verb = (berth, world, end) => {
  withVersion(berth.command('what-if'))
    .summary('say what the descheduler or the VPA would do to running Pods')
    .description(
      'Says whom a DeschedulerPolicy or a VerticalPodAutoscaler evicts or resizes, where Pods land, and whether that ends.',
    )
    .argument('[PATH...]', 'files, folders or -, together one scenario; the present folder when there is none')
    .option('--descheduler <FILE>', 'a DeschedulerPolicy of descheduler/v1alpha2')
    .option('--vpa [NAME]', 'the VerticalPodAutoscalers with a recommendation, or the one of this name')
    .option('--time-limit <SECONDS>', 'stop after so many seconds, and tell what is known by then', '60')
    .option('--rounds <N>', 'follow the descheduler for so many runs at most', '50')
    .option('--at <TIME>', 'the time at which ages count, such as 2026-03-01T12:00:00Z; now when not given')
    .option('--config <FILE>', 'a configuration in place of the berth.yaml in or above the paths')
    .option('--environment <NAME>', 'with the settings of this environment of berth.yaml, its files without PATH')
    .option('--scheduler-config <FILE>', 'a KubeSchedulerConfiguration in place of the scenario’s own')
    .option('--format <FORMAT>', PLACE_FORMATS.join(', '), 'text')
    .option('--fail-on <WHAT>', `exit with 1 for: ${WHAT_IF_LIMITS.join(', ')}`, 'harm')
    .action(async (paths: readonly string[], flags: WhatIfFlags & BorderFlags) =>
      end(await whatIf(paths, flags, bordered(world, flags))),
    );
};

const exploreVerb: Verb = (berth, world, end) => {
  withVersion(berth.command('explore'))
    .summary('say what could happen, in every order')
    .description(
      'Explores every order of steps of a system of processes (kind: System), or every order in which Pods arrive.',
    )
    .argument('<PATH...>', 'files, folders or -, each explored by itself')
    .option('--ask <QUESTIONS>', `only these of a scenario, with commas between: ${SCENARIO_QUESTIONS.join(', ')}`)
    .option('--jobs <N>', 'search a system with at most N threads; one when not given')
    .option('--reduce', 'visit fewer states of a system, with the same verdicts')
    .option('--no-symmetry', 'visit states of a system that differ in the places of equal processes alone, too')
    .option('--max-states <N>', 'stop after so many states')
    .option('--max-findings <N>', 'stop the search of a system after so many findings')
    .option(
      '--time-limit <SECONDS>',
      'stop after so many seconds for each argument, and tell what is known by then',
      '60',
    )
    .option('--save <FILE>', 'where a limit stops the search of a system, write what another one needs to go on')
    .option('--resume <FILE>', 'go on from what --save wrote')
    .option('--shard <I/N>', 'explore only what has a number that leaves I when divided by N; I is from 0 to N - 1')
    .option('--merge', 'join what --shard and --format json wrote: the paths are those files')
    .option('--config <FILE>', 'a configuration in place of the berth.yaml in or above the paths')
    .option('--scheduler-config <FILE>', 'a KubeSchedulerConfiguration in place of the scenario’s own')
    .option('--format <FORMAT>', EXPLORE_FORMATS.join(', '), 'text')
    .action(async (paths: readonly string[], flags: ExploreFlags & BorderFlags) =>
      end(await explore(paths, flags, bordered(world, flags))),
    );
};

const baselineVerb: Verb = (berth, world, end) => {
  withVersion(berth.command('baseline'))
    .summary('write down the problems there are, so that only new ones are told')
    .description('Writes every problem of the manifests into a file that `berth check --baseline` and berth.yaml read.')
    .argument('[PATH...]', 'files or folders; the present folder when there is none')
    .option('--render', 'judge what kustomize and helm make of the files; both must be installed')
    .option('-o, --output <FILE>', 'the file to write', 'berth-baseline.json')
    .option('--config <FILE>', 'a configuration in place of the nearest berth.yaml')
    .option('--environment <NAME>', 'one environment of berth.yaml')
    .action(async (paths: readonly string[], flags: BaselineFlags & BorderFlags) =>
      end(await baseline(paths, flags, bordered(world, flags))),
    );
};

const testVerb: Verb = (berth, world, end) => {
  withVersion(berth.command('test'))
    .summary('run placement tests')
    .description('Runs what *.placement-test.yaml files expect of where Pods land, below files or folders.')
    .argument('[PATH...]', 'files or folders; the present folder when there is none')
    .option('--filter <TEXT>', 'only tests with this in their name')
    .option('--update', 'accept the placements of tests that expect nothing to move')
    .option('--time-limit <SECONDS>', 'stop after so many seconds, and tell what is known by then', '60')
    .option('--format <FORMAT>', TEST_FORMATS.join(', '), 'text')
    .action(async (paths: readonly string[], flags: TestFlags & BorderFlags) =>
      end(await test(paths, flags, bordered(world, flags))),
    );
};

const policyVerb: Verb = (berth, world, end) => {
  const policy = berth
    .command('policy')
    .summary('test the policies of a workspace')
    .description('Works with the policies that a workspace brings.');
  withBorders(policy.command('test'))
    .summary('run the tests of policies')
    .description('Runs the suites of gator verify, the test_ rules of conftest verify, and kyverno-test.yaml files.')
    .argument('[PATH...]', 'files and folders; the present folder when there is none')
    .option('--format <FORMAT>', 'text, json', 'text')
    .action(async (paths: readonly string[], flags: PolicyTestFlags & BorderFlags) =>
      end(await policyTest(paths, flags, bordered(world, flags))),
    );
};

const explainVerb: Verb = (berth, world, end) => {
  berth
    .command('explain')
    .summary('tell what a code means')
    .description('Tells what a code means.')
    .argument('<CODE>', 'for example decode/duplicate-field')
    .action((code: string) => end(explain(code, world)));
};

const snapshotVerb: Verb = (berth, world, end) => {
  berth
    .command('snapshot')
    .summary('write down what a live cluster holds')
    .description(
      'Writes what placement and references need of a live cluster, and nothing secret, for --cluster snapshot:FILE.',
    )
    .option('--context <NAME>', 'a context of the kubeconfig; the current one when not given')
    .option('--kubeconfig <FILE>', 'in place of KUBECONFIG and ~/.kube/config')
    .option('-o, --output <FILE>', 'standard output when not given')
    .option('--include-annotations', 'keep the annotations of all objects')
    .action(async (flags: SnapshotFlags) => end(await snapshot(flags, bordered(world, {}))));
};

const lspVerb: Verb = (berth, world, end) => {
  berth
    .command('lsp')
    .summary('run the language server on standard input and output')
    .description('Runs the language server on standard input and output, for any editor.')
    .option('--stdio', 'the only transport, with this option and without it')
    .action(() => {
      world.startServer();
      end(undefined);
    });
};

const versionVerb: Verb = (berth, world, end) => {
  berth
    .command('version')
    .summary('print the versions of Berth and of Kubernetes')
    .description('Prints the versions of Berth and of the Kubernetes minors it knows.')
    .option('--format <FORMAT>', 'text, json', 'text')
    .action(({ format }: { readonly format: string }, command: Command) => {
      if (format !== 'text' && format !== 'json') command.error(`--format "${format}" is not one of: text, json.`);
      world.out(versionText(world, format));
      end(EXIT.clean);
    });
};

const completionVerb: Verb = (berth, world, end) => {
  berth
    .command('completion')
    .summary('print a script that completes commands in a shell')
    .description('Prints a script that completes verbs, options and their words, for `source` in the shell.')
    .argument('<SHELL>', SHELLS.join(', '))
    .action((shell: string) => end(completion(shell, berth, world)));
};

/** In the order in which help names them. */
const VERBS: ReadonlyMap<string, Verb> = new Map([
  ['check', checkVerb],
  ['place', placeVerb],
  ['upgrade', upgradeVerb],
  ['what-if', whatIfVerb],
  ['explore', exploreVerb],
  ['baseline', baselineVerb],
  ['test', testVerb],
  ['policy', policyVerb],
  ['explain', explainVerb],
  ['snapshot', snapshotVerb],
  ['lsp', lspVerb],
  ['version', versionVerb],
  ['completion', completionVerb],
]);

/** The verb that a command line starts with; all verbs where it starts with none, so that help and errors name all of them. */
export function verbsFor([first = '']: readonly string[]): readonly Verb[] {
  const verb = VERBS.get(first);
  return verb === undefined || verb === completionVerb ? [...VERBS.values()] : [verb];
}

/** What command lines say of the outside. */
interface BorderFlags {
  readonly allowOutside?: boolean;
  readonly allowExec?: boolean;
}

function bordered(world: OuterWorld, { allowOutside, allowExec }: BorderFlags): CliWorld {
  return {
    ...world,
    borders: createBorders(world, allowOutside === true ? 'allowed' : 'refused'),
    namedPlugins: allowExec === true ? 'allowed' : 'refused',
  };
}

function withBorders(command: Command): Command {
  return command.option(
    ALLOW_OUTSIDE,
    'follow links, and paths that files name, out of the folders and their repositories',
  );
}

function withCluster(command: Command): Command {
  return command
    .option(ALLOW_EXEC, 'run the credential program of a cluster that berth.yaml or a test names')
    .option('--cluster <SOURCE>', `where nodes and running Pods come from: ${CLUSTER_SOURCES}`);
}

function withVersion(command: Command): Command {
  return withCluster(withBorders(command))
    .option(
      '--kubernetes-version <VERSION>',
      `one of ${supportedMinors.join(', ')}, or a patch release such as ${newestMinor}.1; the newest when not given`,
    )
    .option('--feature-gates <LIST>', 'A=true,B=false, over the defaults of the minor');
}

function versionText({ version: berth, policyEngine: engine }: OuterWorld, format: string): string {
  const policyEngine = engine.isBuilt() ? 'built' : 'not built';
  const known = { berth, kubernetes: { newest: newestMinor, supported: supportedMinors }, policyEngine };
  if (format === 'json') return `${printableJson({ contract: CONTRACT, ...known })}\n`;
  return `Berth ${berth}\nKubernetes ${supportedMinors.join(', ')}\nPolicy engine: ${policyEngine}\n`;
}
