import { t } from '../../base/l10n';
import { get, int, record, records, text } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import { fixOf, remove } from '../edits/fix';
import { layered } from '../framework/layers';
import { DEFAULT_NODE_PORTS } from '../framework/nodePorts';
import { defineRule } from '../framework/rule';

interface Facts {
  readonly port: number;
  readonly range: string;
}

const SPEC = FieldPath.of('spec');

export default defineRule<Facts>({
  meta: {
    code: 'registry/node-port-range',
    category: 'policy',
    severity: 'error',
    // The range is a setting, and findings of cost typing are shared by all settings.
    cost: 'workspace',
    summary: 'A Service asks for a node port that the API server does not give.',
    why: 'The API server refuses the Service: "provided port is not in the valid range".',
    remedy: 'Choose a port of the range, or leave `nodePort` out: the server then finds one.',
    details:
      'The range is that of the flag `--service-node-port-range` of kube-apiserver, 30000-32767 by default. Where yours is another one, say so in berth.yaml: `serviceNodePortRange: 20000-22767`.',
    source: { project: 'kubernetes', symbol: 'portallocator.(*PortAllocator).Allocate', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/services-networking/service/#type-nodeport',
  },
  on: ['Service'],

  *check({ object, value }, { nodePorts = DEFAULT_NODE_PORTS }) {
    const spec = record(value, 'spec');
    const type = text(spec, 'type');
    if (object.group !== '' || (type !== 'NodePort' && type !== 'LoadBalancer')) return;
    const range = `${nodePorts.from}-${nodePorts.to}`;
    const places = [
      ...records(spec, 'ports').map((it, i) => ({
        at: SPEC.child('ports').index(i).child('nodePort'),
        port: int(it, 'nodePort'),
      })),
      ...(get(spec, 'externalTrafficPolicy') === 'Local' && type === 'LoadBalancer'
        ? [{ at: SPEC.child('healthCheckNodePort'), port: int(spec, 'healthCheckNodePort') }]
        : []),
    ];
    for (const { at, port } of places) {
      // The API server's validation reports what is no port at all.
      if (port < 1 || port > 65_535 || (port >= nodePorts.from && port <= nodePorts.to)) continue;
      yield { at, part: 'value', facts: { port, range } };
    }
  },

  message: ({ facts: { port, range } }) =>
    layered(
      t`node port ${port} is outside of the range ${range}, and the server refuses the Service`,
      `provided port is not in the valid range. The range of valid ports is ${range}`,
    ),

  fixes: ({ at }, { object }, _context, edit) => [fixOf(remove(at), object, edit)],
});
