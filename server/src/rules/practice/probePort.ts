import { t } from '../../base/l10n';
import { printed } from '../../base/printed';
import { get, record, records, text } from '../../kube/goFields';
import { defineRule } from '../framework/rule';
import { containerPractice } from './practice';

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const ASKS_PORTS = ['httpGet', 'tcpSocket', 'grpc'] as const;

export default defineRule(
  containerPractice({
    code: 'practice/probe-port',
    summary: 'A probe asks a port that the container does not name.',
    why: 'The list of ports need not be complete, but a number that is in one place only is most often a slip.',
    remedy: 'Name the port in `ports`, or ask one that is there.',
    after: ['kube-linter liveness-port', 'kube-linter readiness-port', 'kube-linter startup-port'],
    check: ({ container, at, name }) => {
      const ports = records(container, 'ports').flatMap(it => [get(it, 'containerPort'), text(it, 'name')]);
      if (ports.length === 0) return undefined;
      return PROBES.flatMap(probe =>
        ASKS_PORTS.flatMap(way => {
          const asked = record(record(container, probe), way);
          const port = get(asked, 'port');
          if (port === undefined || ports.includes(port) || typeof get(asked, 'host') === 'string') return [];
          const field = at.child(probe, way, 'port');
          return [{ at: field, message: t`container "${name}" names no port ${printed(port)}` }];
        }),
      );
    },
  }),
);
