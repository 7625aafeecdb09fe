import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { UnknownObject } from '../../server/src/base/json';
import { runScenario } from '../../server/src/scheduler/scenario';
import { sizedFor } from '../support/thorough';
import { isGateOn, verdictTable } from './support';

/** What every JavaScript object has, and keys of labels may be called. */
const STRANGE = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'];

interface Cluster {
  /** The value of the label on each node; undefined: the node is without it. */
  readonly nodes: readonly (string | undefined)[];
  readonly pods: readonly { readonly rule: (typeof RULES)[number]; readonly isLabelled: boolean }[];
}

const RULES = ['spread', 'soft spread', 'near', 'apart', 'prefers near', 'selects', 'label keys'] as const;
const SELF = { labelSelector: { matchLabels: { app: 'a' } } };

function specOf(rule: (typeof RULES)[number]): string {
  const spread = (whenUnsatisfiable: string, more = {}) => ({
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'KEY', whenUnsatisfiable, ...SELF, ...more }],
  });
  const term = { topologyKey: 'KEY', ...SELF };
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const specs: Readonly<Record<(typeof RULES)[number], object>> = {
    spread: spread('DoNotSchedule'),
    'soft spread': spread('ScheduleAnyway'),
    near: { affinity: { podAffinity: { [required]: [term] } } },
    apart: { affinity: { podAntiAffinity: { [required]: [term] } } },
    'prefers near': {
      affinity: {
        podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, podAffinityTerm: term }] },
      },
    },
    selects: { nodeSelector: { KEY: 'x' } },
    'label keys': spread('DoNotSchedule', { matchLabelKeys: ['KEY'] }),
  };
  return JSON.stringify({ containers: [{ name: 'c', image: 'i' }], ...specs[rule] });
}

/** The verdicts of a cluster whose label has this key; written as text, as `__proto__` in a literal is no key. */
function verdicts({ nodes, pods }: Cluster, key: string): string {
  const named = (text: string): UnknownObject =>
    JSON.parse(text.replaceAll('"KEY"', JSON.stringify(key))) as UnknownObject;
  const objects = [
    ...nodes.map((value, i) =>
      named(
        `{"kind":"Node","apiVersion":"v1","metadata":{"name":"n${i}","labels":{${value === undefined ? '' : `"KEY":"${value}"`}}},"status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"10"}}}`,
      ),
    ),
    ...pods.map(({ rule, isLabelled }, i) =>
      named(
        `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p${i}","labels":{"app":"a"${isLabelled ? ',"KEY":"1"' : ''}}},"spec":${specOf(rule)}}`,
      ),
    ),
  ];
  return verdictTable(runScenario(objects, { kubernetesVersion: '1.37', isGateOn })).replaceAll(key, 'KEY');
}

it.each(STRANGE)('a label called %s is present where a node or a Pod has it, and nowhere else', key => {
  const cluster: fc.Arbitrary<Cluster> = fc.record({
    nodes: fc.array(fc.constantFrom(undefined, 'x', 'y'), { minLength: 1, maxLength: 4 }),
    pods: fc.array(fc.record({ rule: fc.constantFrom(...RULES), isLabelled: fc.boolean() }), {
      minLength: 1,
      maxLength: 4,
    }),
  });
  fc.assert(
    fc.property(cluster, it => {
      expect(verdicts(it, key)).toBe(verdicts(it, 'example.com/plain'));
    }),
    { numRuns: sizedFor({ thorough: 40, quick: 15 }), seed: 17 },
  );
});
