import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadKube } from '../../server/src/kube/load';
import { parseManifests } from '../../server/src/manifest/parse';
import { RULES } from '../../server/src/rules/engine/registry';
import { problemsOfFile } from '../../server/src/rules/engine/run';
import { readPodSecurity } from '../../server/src/rules/security/configuration';
import { snapshotOf } from '../support/check';
import { readPack } from '../support/packs';
import { sizedFor } from '../support/thorough';

/** Upstream's messages, by the first minor of the policy for which they are the answer; 38 stands for latest. */
type Answers = readonly (readonly [since: number, sentences: readonly string[]])[];

interface Case {
  readonly id: string;
  readonly manifest: object;
  readonly expect: Readonly<Record<'baseline' | 'restricted', Answers>>;
}

const LATEST = 38;
const cases = readFileSync(join(import.meta.dirname, 'pss/cases.jsonl'), 'utf8')
  .split('\n')
  .filter(it => it !== '')
  .map(it => JSON.parse(it) as Case);
const kube = loadKube('1.37', {}, readPack);
const rules = RULES.filter(it => it.meta.code.startsWith('security/'));
const versions = Array.from({ length: LATEST + 1 }, (_, i) => (i === LATEST ? 'latest' : `v1.${i}`));
const LEVELS = ['baseline', 'restricted'] as const;
/** The versions that upstream answers some case differently from, and the ones before them; the first and the last. */
const changes = cases.flatMap(it => LEVELS.flatMap(level => it.expect[level].map(([since]) => since)));
const asked = new Set(
  sizedFor({ thorough: [...versions.keys()], quick: [0, LATEST, ...changes.flatMap(it => [it - 1, it])] }),
);
const policies = LEVELS.flatMap(level =>
  versions
    .map((version, minor) => ({ version, minor }))
    .filter(({ minor }) => asked.has(minor))
    .map(({ version, minor }) => ({
      level,
      minor,
      ...readPodSecurity({ defaults: { enforce: level, 'enforce-version': version } }),
    })),
);

/** Berth's message, reduced to upstream's reason and detail. */
const sentenceOf = (message: string): string =>
  message.replace(/^(?:would violate|violates) PodSecurity "\S+": /, '').replace(/; the \w+ is taken, but .*$/, '');

test.each(cases)('$id: every level and version says what upstream’s checks say', ({ manifest, expect: expected }) => {
  const uri = 'test:///pod.json';
  const snapshot = snapshotOf({ [uri]: JSON.stringify(manifest) });
  const file = snapshot.files.get(uri) ?? parseManifests(uri, '');
  const onBug = (code: string, error: unknown) => {
    throw new Error(code, { cause: error });
  };
  for (const { level, minor, podSecurity } of policies) {
    const found = problemsOfFile(file, snapshot.objectsIn(uri), { kube, snapshot, podSecurity }, { rules, onBug });
    const wanted = expected[level].findLast(([since]) => since <= minor)?.[1];
    expect([...new Set(found.map(it => sentenceOf(it.message)))].sort(), `${level} ${versions[minor]}`).toEqual(
      [...(wanted ?? [])].sort(),
    );
  }
});
