import { quoted } from '../../base/quoted';
import { record, text } from '../../kube/goFields';
import { APP_ARMOR_PREFIX } from '../apiserver/validate/podSpec/prepare';
import { change, remove } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { podSecurityRule } from './check';
import { containersNamed, joinQuote, pluralize, sortedSet } from './messageText';

const ALLOWED = ['RuntimeDefault', 'Localhost'];

export default defineRule(
  podSecurityRule({
    code: 'security/app-armor-profile',
    symbol: 'CheckAppArmorProfile',
    level: 'baseline',
    summary: 'A Pod takes off the AppArmor profile that its runtime puts on by default.',
    why: 'The profile keeps a program that was broken into from writing to the kernel’s files and from mounting.',
    remedy: 'Leave the profile out, or set its type to `RuntimeDefault` or `Localhost`.',
    versions: [
      {
        since: 0,
        check({ annotation, annotations, containers, context, contextAt }) {
          const isBad = (of: typeof context): boolean => {
            const profile = record(of, 'appArmorProfile');
            return profile !== undefined && !ALLOWED.includes(text(profile, 'type'));
          };
          const typeOf = (of: typeof context): string => text(record(of, 'appArmorProfile'), 'type');
          const isPod = isBad(context);
          const bad = containers.filter(it => isBad(it.context));
          const annotated = annotation.filter(([key, value]) => key.startsWith(APP_ARMOR_PREFIX) && !isAllowed(value));
          if (!isPod && bad.length === 0 && annotated.length === 0) return undefined;
          const types = sortedSet([...(isPod ? [typeOf(context)] : []), ...bad.map(it => typeOf(it.context))]);
          const values = [...types, ...annotated.map(([key, value]) => `${key}=${quoted(value)}`).sort()];
          const who = [
            ...(isPod ? ['pod'] : []),
            ...(bad.length > 0 ? [containersNamed(bad)] : []),
            ...(annotated.length > 0 ? [pluralize('annotation', 'annotations', annotated.length)] : []),
          ].join(' and ');
          const written = bad.filter(
            it => record(record(it.value, 'securityContext'), 'appArmorProfile') !== undefined,
          );
          const fields = [...(isPod ? [contextAt] : []), ...written.map(it => it.at.child('securityContext'))];
          return {
            reason: pluralize('forbidden AppArmor profile', 'forbidden AppArmor profiles', values.length),
            detail: `${who} must not set AppArmor profile type to ${joinQuote(values)}`,
            fields: [
              ...annotated.map(([key]) => ({ at: annotations.key(key), fixes: [remove(annotations.key(key))] })),
              ...fields.map(it => {
                const at = it.child('appArmorProfile', 'type');
                return { at, fixes: [change(at, 'RuntimeDefault')] };
              }),
            ],
          };
        },
      },
    ],
  }),
);

function isAllowed(annotation: string): boolean {
  return annotation === '' || annotation === 'runtime/default' || annotation.startsWith('localhost/');
}
