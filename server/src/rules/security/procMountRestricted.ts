import { defineRule } from '../framework/rule';
import { podSecurityRule } from './check';
import { masksProc } from './procMountCheck';

export default defineRule(
  podSecurityRule({
    code: 'security/proc-mount-restricted',
    symbol: 'CheckProcMountRestricted',
    level: 'restricted',
    summary: 'A container sees all of /proc.',
    why: 'Files below /proc tell of the node and change its kernel. At this level they stay hidden, in a user namespace too.',
    remedy: 'Remove `procMount`.',
    versions: [{ since: 35, check: masksProc }],
  }),
);
