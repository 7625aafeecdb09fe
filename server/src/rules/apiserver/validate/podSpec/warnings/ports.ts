import type { JsonObject } from '../../../../../base/json';
import { int, records, text } from '../../../../../kube/goFields';
import type { FieldPath } from '../../../../../manifest/fieldPath';
import { textOfWarning, type Warning } from '../../errors';
import { containersOf } from '../containers/containerLists';

export interface Port {
  readonly at: FieldPath;
  readonly name: string;
  readonly hostPort: number;
  readonly containerPort: number;
  readonly protocol: string;
  readonly hostIp: string;
}

/**
 * How many collisions of one Pod are listed. Each pair of ports may collide, so a full list could exhaust the memory.
 */
const MOST_COLLISIONS = 1_000;

/** Ports of one number and protocol, and how many of them have each combination of the fields that collide. */
interface Namesakes {
  readonly ports: Port[];
  readonly counts: Map<string, number>;
}

/** Ports without effect, or that collide with an earlier one of any container. */
export function portWarnings(ports: readonly Port[]): readonly Warning[] {
  const byNumber = new Map<string, Namesakes>();
  const warnings: Warning[] = [];
  let written = 0;
  for (const port of ports) {
    const key = `${port.containerPort}/${port.protocol}`;
    const others = byNumber.get(key) ?? { ports: [], counts: new Map() };
    byNumber.set(key, others);
    if (port.hostIp !== '' && port.hostPort === 0) {
      warnings.push(`${port.at}: hostIP set without hostPort: ${shown(port)}`);
    }
    const count = collisionsOf(port, others);
    const texts = firstCollisions(port, others.ports, Math.min(count, MOST_COLLISIONS - written));
    warnings.push(...texts);
    written += texts.length;
    if (count > texts.length) countLast(warnings, count - texts.length);
    remember(port, others);
  }
  return warnings;
}

function firstCollisions(port: Port, others: readonly Port[], wanted: number): readonly string[] {
  const texts: string[] = [];
  for (const other of others) {
    if (texts.length >= wanted) break;
    const text = collision(port, other);
    if (text !== undefined) texts.push(text);
  }
  return texts;
}

/** Adds the number of unlisted collisions to the last listed one. */
function countLast(warnings: Warning[], more: number): void {
  const last = warnings.findLastIndex(it => textOfWarning(it).includes('port definition with'));
  const warning = warnings[last];
  if (warning === undefined) return;
  warnings[last] = { text: textOfWarning(warning), more: more + (typeof warning === 'string' ? 0 : warning.more) };
}

/** The number of earlier ports that one collides with, by the criterion of `collision`. */
function collisionsOf({ hostIp, hostPort }: Port, { ports, counts }: Namesakes): number {
  const countOf = (key: string): number => counts.get(key) ?? 0;
  const same = countOf(addressOf(hostIp, hostPort));
  if (hostPort === 0) return ports.length;
  return same + countOf('0') + countOf(ambiguityOf(hostIp === '' ? 'one' : 'all', hostPort));
}

function remember(port: Port, { ports, counts }: Namesakes): void {
  const { hostIp, hostPort } = port;
  ports.push(port);
  const reach = ambiguityOf(hostIp === '' ? 'all' : 'one', hostPort);
  for (const key of [addressOf(hostIp, hostPort), reach, ...(hostPort === 0 ? ['0'] : [])]) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
}

const addressOf = (hostIp: string, hostPort: number): string => `at ${hostIp} ${hostPort}`;

const ambiguityOf = (addresses: 'one' | 'all', hostPort: number): string => `${addresses} ${hostPort}`;

/** Names that a Service or a probe cannot distinguish. */
export function portNameWarnings(ports: readonly Port[]): readonly string[] {
  const byName = new Map<string, Port>();
  return ports.flatMap(port => {
    const other = byName.get(port.name);
    if (port.name === '') return [];
    if (other === undefined) {
      byName.set(port.name, port);
      return [];
    }
    return [
      `${port.at}: duplicate port name ${JSON.stringify(port.name)} with ${other.at}, services and probes that select ports by name will use ${other.at}`,
    ];
  });
}

/** The ports of all containers, in order. */
export function portsOf(spec: JsonObject, at: FieldPath): readonly Port[] {
  return containersOf(spec, at).flatMap(({ container, at: path }) =>
    records(container, 'ports').map((it, i) => portOf(it, path.child('ports').index(i))),
  );
}

function portOf(port: JsonObject, at: FieldPath): Port {
  return {
    at,
    name: text(port, 'name'),
    hostPort: int(port, 'hostPort'),
    containerPort: int(port, 'containerPort'),
    protocol: text(port, 'protocol'),
    hostIp: text(port, 'hostIP'),
  };
}

/** The struct as Go prints it. */
function shown({ name, hostPort, containerPort, protocol, hostIp }: Port): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIp}}`;
}

function collision(port: Port, other: Port): string | undefined {
  if (port.hostIp === other.hostIp && port.hostPort === other.hostPort) {
    return `${port.at}: duplicate port definition with ${other.at}`;
  }
  if (port.hostPort === 0 || other.hostPort === 0) return `${port.at}: overlapping port definition with ${other.at}`;
  if (port.hostPort !== other.hostPort || (port.hostIp === '') === (other.hostIp === '')) return undefined;
  return `${port.at}: dangerously ambiguous port definition with ${other.at}`;
}
