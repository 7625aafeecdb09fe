import { t } from '../../base/l10n';
import { records, text } from '../../kube/goFields';
import { remove } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { type CheckFunction, podSecurityRule } from './check';

/** What each policy version allows in addition to earlier ones. */
const ALLOWED: readonly (readonly [since: number, names: readonly string[]])[] = [
  [
    0,
    [
      'kernel.shm_rmid_forced',
      'net.ipv4.ip_local_port_range',
      'net.ipv4.tcp_syncookies',
      'net.ipv4.ping_group_range',
      'net.ipv4.ip_unprivileged_port_start',
    ],
  ],
  [27, ['net.ipv4.ip_local_reserved_ports']],
  [
    29,
    [
      'net.ipv4.tcp_keepalive_time',
      'net.ipv4.tcp_fin_timeout',
      'net.ipv4.tcp_keepalive_intvl',
      'net.ipv4.tcp_keepalive_probes',
    ],
  ],
  [32, ['net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem']],
  [37, ['net.ipv4.tcp_slow_start_after_idle', 'net.ipv4.tcp_notsent_lowat']],
];

const allowedSince = (name: string, since: number): string =>
  since === 0 ? name : t`${name}, since policy v1.${since}`;

const allows =
  (allowed: ReadonlySet<string>): CheckFunction =>
  ({ context, contextAt }) => {
    const bad = records(context, 'sysctls').flatMap((it, i) =>
      allowed.has(text(it, 'name')) ? [] : [{ name: text(it, 'name'), i }],
    );
    if (bad.length === 0) return undefined;
    return {
      reason: 'forbidden sysctls',
      detail: bad.map(it => it.name).join(', '),
      fields: bad.map(({ i }) => {
        const at = contextAt.child('sysctls').index(i);
        return { at: at.child('name'), fixes: [remove(at)] };
      }),
    };
  };

export default defineRule(
  podSecurityRule({
    code: 'security/sysctls',
    symbol: 'CheckSysctls',
    level: 'baseline',
    summary: 'A Pod sets a sysctl that is not known to be safe.',
    why: 'A kernel parameter that is not its Pod’s own changes the node for all Pods on it, or lifts a protection.',
    remedy: 'Remove it, or let an administrator set it on the nodes.',
    get details() {
      const items = ALLOWED.flatMap(([since, names]) => names.map(it => `- ${allowedSince(`\`${it}\``, since)}`));
      return [t('Allowed are:'), '', ...items].join('\n');
    },
    versions: ALLOWED.map(([since]) => ({
      since,
      check: allows(new Set(ALLOWED.filter(it => it[0] <= since).flatMap(it => it[1]))),
    })),
  }),
);
