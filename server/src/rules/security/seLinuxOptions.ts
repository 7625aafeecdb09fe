import { type GoFields, record, text } from '../../kube/goFields';
import { remove } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { type CheckFunction, podSecurityRule } from './check';
import { joinQuote, pluralize, setters, sortedSet } from './messageText';

const TYPES = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

const allows =
  (types: readonly string[]): CheckFunction =>
  ({ containers, context, contextAt }) => {
    const badFields = (of: GoFields): readonly string[] => {
      const options = record(of, 'seLinuxOptions');
      const isBad = (field: string) =>
        field === 'type' ? !types.includes(text(options, field)) : text(options, field) !== '';
      return options === undefined ? [] : ['type', 'user', 'role'].filter(isBad);
    };
    const isPod = badFields(context).length > 0;
    const bad = containers.filter(it => badFields(it.context).length > 0);
    if (!isPod && bad.length === 0) return undefined;
    const all = [
      ...(isPod ? [{ of: context, at: contextAt }] : []),
      ...bad.map(it => ({ of: it.context, at: it.at.child('securityContext') })),
    ].flatMap(({ of, at }) =>
      badFields(of).map(field => ({
        field,
        value: text(record(of, 'seLinuxOptions'), field),
        at: at.child('seLinuxOptions', field),
      })),
    );
    const badTypes = sortedSet(all.filter(it => it.field === 'type').map(it => it.value));
    const data = [
      ...(badTypes.length > 0 ? [`${pluralize('type', 'types', badTypes.length)} ${joinQuote(badTypes)}`] : []),
      ...['user', 'role'].filter(it => all.some(({ field }) => field === it)).map(it => `${it} may not be set`),
    ].join('; ');
    return {
      reason: 'seLinuxOptions',
      detail: `${setters({ isPod, containers: bad })} set forbidden securityContext.seLinuxOptions: ${data}`,
      fields: all.map(({ at }) => ({ at, fixes: [remove(at)] })),
    };
  };

export default defineRule(
  podSecurityRule({
    code: 'security/se-linux-options',
    symbol: 'CheckSELinuxOptions',
    level: 'baseline',
    summary: 'A Pod sets an SELinux user or role, or a type that is not made for containers.',
    why: 'Another user, role or type than those of containers lifts what SELinux keeps from them.',
    remedy: `Leave user and role out, and take one of the types ${TYPES.slice(1).join(', ')}, since policy v1.31 also container_engine_t.`,
    versions: [
      { since: 0, check: allows(TYPES) },
      { since: 31, check: allows([...TYPES, 'container_engine_t']) },
    ],
  }),
);
