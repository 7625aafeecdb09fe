import type { FieldPath } from '../../../../../manifest/fieldPath';
import type { JsonObject } from '../../../../../manifest/manifest';
import { int, records, text } from '../../read';
import { containersOf } from '../containerLists';

interface Port {
  readonly at: FieldPath;
  readonly name: string;
  readonly hostPort: number;
  readonly containerPort: number;
  readonly protocol: string;
  readonly hostIp: string;
}

/** Ports that mean nothing, or that collide with an earlier one of any container. */
export function portWarnings(spec: JsonObject, at: FieldPath): readonly string[] {
  const ports = containersOf(spec, at).flatMap(({ container, at: path }) =>
    records(container, 'ports').map((it, i) => portOf(it, path.child('ports').index(i))),
  );
  const byNumber = new Map<string, Port[]>();
  const byName = new Map<string, Port>();
  return ports.flatMap(port => {
    const key = `${port.containerPort}/${port.protocol}`;
    const others = byNumber.get(key) ?? [];
    const namesake = byName.get(port.name);
    byNumber.set(key, [...others, port]);
    if (port.name !== '' && namesake === undefined) byName.set(port.name, port);
    return [
      ...(port.hostIp !== '' && port.hostPort === 0 ? [`${port.at}: hostIP set without hostPort: ${shown(port)}`] : []),
      ...others.flatMap(it => collision(port, it)),
      ...(namesake === undefined ? [] : [sameName(port, namesake)]),
    ];
  });
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

function sameName({ at, name }: Port, other: Port): string {
  return `${at}: duplicate port name ${JSON.stringify(name)} with ${other.at}, services and probes that select ports by name will use ${other.at}`;
}
