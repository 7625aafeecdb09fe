import { record, text } from '../../kube/goFields';
import type { FieldPath } from '../../manifest/fieldPath';
import { remove } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { podSecurityRule } from './check';
import { joinQuote, pluralize, sortedSet } from './messageText';
import type { ContainerView } from './pod';

/** The handlers in upstream's order. */
const HANDLERS = [
  ['livenessProbe'],
  ['readinessProbe'],
  ['startupProbe'],
  ['lifecycle', 'postStart'],
  ['lifecycle', 'preStop'],
];
const ACTIONS = ['httpGet', 'tcpSocket'];

export default defineRule(
  podSecurityRule({
    code: 'security/host-probes-and-host-lifecycle',
    symbol: 'CheckHostProbesAndHostLifecycle',
    level: 'baseline',
    summary: 'A probe or a lifecycle hook asks another host than its own Pod.',
    why: 'It is the kubelet that asks, from the network of the node: whoever writes the host can reach what the Pod could not.',
    remedy: 'Remove `host`, so that the Pod itself is asked.',
    versions: [
      {
        since: 34,
        check({ containers }) {
          const hosts = containers.flatMap(hostsOf);
          if (hosts.length === 0) return undefined;
          const bad = sortedSet(hosts.map(it => it.container));
          const named = sortedSet(hosts.map(it => it.host));
          const uses = pluralize('uses', 'use', bad.length);
          const what = pluralize('probe or lifecycle host', 'probe or lifecycle hosts', named.length);
          return {
            reason: 'probe or lifecycle host',
            detail: `${pluralize('container', 'containers', bad.length)} ${joinQuote(bad)} ${uses} ${what} ${joinQuote(named)}`,
            fields: hosts.map(({ at }) => ({ at, fixes: [remove(at)] })),
          };
        },
      },
    ],
  }),
);

interface Host {
  readonly container: string;
  readonly host: string;
  readonly at: FieldPath;
}

function hostsOf({ name, at, value }: ContainerView): readonly Host[] {
  return HANDLERS.flatMap(names => {
    const handler = names.reduce<ReturnType<typeof record>>((it, field) => record(it, field), value);
    return ACTIONS.flatMap(action => {
      const host = text(record(handler, action), 'host');
      return host === '' ? [] : [{ container: name, host, at: at.child(...names, action, 'host') }];
    });
  });
}
