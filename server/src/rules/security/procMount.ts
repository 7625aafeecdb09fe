import { defineRule } from '../framework/rule';
import { podSecurityRule, unlessInUserNamespace, unlessRelaxedByGate } from './check';
import { masksProc } from './procMountCheck';

export default defineRule(
  podSecurityRule({
    code: 'security/proc-mount',
    symbol: 'CheckProcMountBaseline',
    level: 'baseline',
    summary: 'A container sees all of /proc.',
    why: 'Files below /proc tell of the node and change its kernel; runtimes hide them by default.',
    remedy: 'Remove `procMount`, or run the Pod in a user namespace (`hostUsers: false`, allowed since policy v1.35).',
    overridden: { since: 35, by: '`security/proc-mount-restricted`' },
    versions: [
      { since: 0, check: unlessRelaxedByGate(masksProc) },
      { since: 35, check: unlessInUserNamespace(masksProc) },
    ],
  }),
);
