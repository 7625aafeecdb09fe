import type { FieldPath } from '../../../../../manifest/fieldPath';
import type { JsonObject } from '../../../../../manifest/manifest';
import { int, records, text } from '../../read';
import { containersOf } from '../containerLists';

export interface Port {
  readonly at: FieldPath;
  readonly name: string;
  readonly hostPort: number;
  readonly containerPort: number;
  readonly protocol: string;
  readonly hostIp: string;
}

/** Ports that mean nothing, or that collide with an earlier one of any container. */
export function portWarnings(ports: readonly Port[]): readonly string[] {
  const byNumber = new Map<string, Port[]>();
  return ports.flatMap(port => {
    const key = `${port.containerPort}/${port.protocol}`;
    const others = byNumber.get(key) ?? [];
    byNumber.set(key, [...others, port]);
    return [
      ...(port.hostIp !== '' && port.hostPort === 0 ? [`${port.at}: hostIP set without hostPort: ${shown(port)}`] : []),
      ...others.flatMap(it => collision(port, it)),
    ];
  });
}

/** Names that a Service or a probe cannot tell apart. */
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

/** The ports of all containers, in their order. */
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

/** As Go prints the struct. */
function shown({ name, hostPort, containerPort, protocol, hostIp }: Port): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIp}}`;
}

function collision(port: Port, other: Port): readonly string[] {
  if (port.hostIp === other.hostIp && port.hostPort === other.hostPort) {
    return [`${port.at}: duplicate port definition with ${other.at}`];
  }
  if (port.hostPort === 0 || other.hostPort === 0) return [`${port.at}: overlapping port definition with ${other.at}`];
  if (port.hostPort !== other.hostPort || (port.hostIp === '') === (other.hostIp === '')) return [];
  return [`${port.at}: dangerously ambiguous port definition with ${other.at}`];
}
