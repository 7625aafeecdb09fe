import { type ClusterContent, snapshotDocuments, yamlLibrary } from '../../analysis/clusters';
import { unlessBadInput } from '../badInput';
import { complain } from '../complain';
import { EXIT, type ExitCode } from '../exit';
import { lackingInWords } from '../input/clusters';
import { counted } from '../render/style';
import { type CliWorld, UsageError } from '../world';

/** The options of `berth snapshot` as commander hands them over. */
export interface SnapshotFlags {
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly output?: string;
  readonly includeAnnotations?: boolean;
}

const HEAD = `# A cluster as "berth snapshot" saw it, for --cluster snapshot:FILE. It has no data of Secrets and ConfigMaps, no values
# of environment variables, no commands and no managed fields.
`;

/** Writes what a live cluster holds into a file or to standard output. Bad input is exit code 2 and a sentence. */
export async function snapshot(flags: SnapshotFlags, world: CliWorld): Promise<ExitCode> {
  return unlessBadInput(world, () => writeSnapshot(flags, world));
}

async function writeSnapshot(flags: SnapshotFlags, world: CliWorld): Promise<ExitCode> {
  const { context, kubeconfig, output, includeAnnotations } = flags;
  const content = await world.live().readLive({
    ...(context !== undefined && { context }),
    ...(kubeconfig !== undefined && { kubeconfig }),
    annotations: includeAnnotations === true ? 'all' : 'decisive',
    plugins: 'allowed',
  });
  if (content.state === 'unreachable') throw new UsageError(`The cluster cannot be read: ${content.reason}.`);
  const documents = snapshotDocuments(content, includeAnnotations === true ? 'all' : 'none');
  const { stringify } = yamlLibrary();
  const text = HEAD + documents.map(it => stringify(it, { aliasDuplicateObjects: false, lineWidth: 0 })).join('---\n');
  if (output === undefined) world.out(text);
  else {
    const written = await world.write(output, text);
    if ('failure' in written) throw new UsageError(`${output} cannot be written: ${written.failure}.`);
  }
  complain(world, summary(content));
  const lacking = lackingInWords(content);
  if (lacking !== undefined) complain(world, lacking);
  return EXIT.clean;
}

function summary({ objects, names }: ClusterContent): string {
  const count = (kind: string): number => objects.filter(it => it.kind === kind).length;
  const others = objects.length - count('Node') - count('Pod');
  const parts = [counted(count('Node'), 'node'), counted(count('Pod'), 'Pod'), counted(others, 'other object')];
  return `${parts.join(', ')}, and the names of ${names.length} more.`;
}
