import type { JsonObject } from '../../../../../base/json';
import { int, records, text } from '../../../../../kube/goFields';
import { portNameErrors, portNumberErrors } from '../../../../../kube/names';
import type { FieldPath } from '../../../../../manifest/fieldPath';
import { duplicate, type FieldError, invalids, required } from '../../errors';
import { oneOf } from '../../shared/checks';

/** Upstream: core validation.validateContainerPorts. */
export function* validatePorts(container: JsonObject, list: FieldPath): Iterable<FieldError> {
  const names = new Set<string>();
  for (const [i, port] of records(container, 'ports').entries()) {
    const at = list.index(i);
    const name = text(port, 'name');
    const wrong = name === '' ? [] : portNameErrors(name);
    yield* invalids(at.child('name'), name, wrong);
    if (name !== '' && wrong.length === 0) {
      if (names.has(name)) yield duplicate(at.child('name'), name);
      names.add(name);
    }
    const containerPort = int(port, 'containerPort');
    const hostPort = int(port, 'hostPort');
    if (containerPort === 0) yield required(at.child('containerPort'));
    else yield* invalids(at.child('containerPort'), containerPort, portNumberErrors(containerPort));
    if (hostPort !== 0) yield* invalids(at.child('hostPort'), hostPort, portNumberErrors(hostPort));
    yield* oneOf(port, 'protocol', at.child('protocol'), ['SCTP', 'TCP', 'UDP']);
  }
}

/** Upstream: core validation.checkHostPortConflicts. */
export function* validateHostPorts(containers: readonly JsonObject[], at: FieldPath): Iterable<FieldError> {
  const seen = new Set<string>();
  for (const [i, container] of containers.entries()) {
    for (const [j, port] of records(container, 'ports').entries()) {
      const hostPort = int(port, 'hostPort');
      if (hostPort === 0) continue;
      const id = `${text(port, 'protocol')}/${text(port, 'hostIP')}/${hostPort}`;
      if (seen.has(id)) yield duplicate(at.index(i).child('ports').index(j).child('hostPort'), id);
      seen.add(id);
    }
  }
}
