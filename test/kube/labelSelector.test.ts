import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  labelMapMatcher,
  labelMatcher,
  nodeSelectorMatcher,
  preferredTerms,
  withRequirements,
} from '../../server/src/kube/labelSelector';
import type { LabelSelector, NodeSelectorTerm } from '../../server/src/kube/types';

const web = { app: 'web', tier: 'front' };

function expression(key: string, operator: string, ...values: string[]): LabelSelector {
  return { matchExpressions: [{ key, operator, ...(values.length > 0 && { values }) }] };
}

describe('label selectors', () => {
  it.each<[string, LabelSelector | undefined, boolean]>([
    ['absent: nothing', undefined, false],
    ['empty: everything', {}, true],
    ['equal label', { matchLabels: { app: 'web' } }, true],
    ['other value', { matchLabels: { app: 'db' } }, false],
    ['missing label', { matchLabels: { zone: 'a' } }, false],
    ['all of several', { matchLabels: { app: 'web', tier: 'front' } }, true],
    ['one of several fails', { matchLabels: { app: 'web' }, ...expression('tier', 'Exists') }, true],
    ['In', expression('app', 'In', 'db', 'web'), true],
    ['In without the label', expression('zone', 'In', 'a'), false],
    ['NotIn', expression('app', 'NotIn', 'db'), true],
    ['NotIn with the value', expression('app', 'NotIn', 'web'), false],
    ['NotIn without the label holds', expression('zone', 'NotIn', 'a'), true],
    ['Exists', expression('app', 'Exists'), true],
    ['DoesNotExist', expression('app', 'DoesNotExist'), false],
    ['a name from Object.prototype is no label', expression('constructor', 'Exists'), false],
  ])('%s', (_, selector, expected) => {
    expect(labelMatcher(selector).matches(web)).toBe(expected);
  });

  it.each<[LabelSelector, string]>([
    [expression('app', 'Gt', '1'), '"Gt" is not a valid label selector operator'],
    [expression('app', 'In'), "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"],
    [
      expression('app', 'Exists', 'x'),
      'values: Invalid value: ["x"]: values set must be empty for exists and does not exist',
    ],
    [
      expression('a/b/c', 'Exists'),
      "key: Invalid value: \"a/b/c\": a valid label key must consist of alphanumeric characters, '-', '_' or '.', " +
        "and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex " +
        "used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix " +
        "and '/' (e.g. 'example.com/MyName')",
    ],
  ])('%j is refused', (selector, message) => {
    const matcher = labelMatcher(selector);
    expect(matcher.error).toBe(message);
    expect(matcher.matches(web)).toBe(false);
  });

  it('reads a plain map without validating it', () => {
    expect(labelMapMatcher({}).matches({})).toBe(true);
    expect(labelMapMatcher({ 'not a key!': 'x' }).matches({ 'not a key!': 'x' })).toBe(true);
    expect(labelMapMatcher({ app: 'web' }).matches(undefined)).toBe(false);
  });

  it('accepts further requirements', () => {
    const more = withRequirements(labelMatcher({}), [{ key: 'hash', operator: 'In', values: ['1'] }]);
    expect(more.matches({ hash: '1' })).toBe(true);
    expect(more.matches({ hash: '2' })).toBe(false);
    expect(withRequirements(labelMatcher(undefined), []).matches({})).toBe(false);
  });

  it('In and NotIn, Exists and DoesNotExist always disagree', () => {
    const labels = fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('1', '2'));
    fc.assert(
      fc.property(labels, fc.constantFrom('1', '2', '3'), (it, value) => {
        const holds = (operator: string, ...values: string[]) =>
          labelMatcher(expression('a', operator, ...values)).matches(it);
        expect(holds('In', value)).toBe(!holds('NotIn', value));
        expect(holds('Exists')).toBe(!holds('DoesNotExist'));
      }),
      { seed: 1_373 },
    );
  });
});

describe('node selectors', () => {
  const node = { name: 'n1', labels: { zone: 'a', cores: '8', size: 'big' } };
  const term = (...matchExpressions: NonNullable<NodeSelectorTerm['matchExpressions']>): NodeSelectorTerm => ({
    matchExpressions,
  });
  const matches = (...nodeSelectorTerms: NodeSelectorTerm[]) =>
    nodeSelectorMatcher({ nodeSelectorTerms }).matches(node);

  it.each<[string, boolean, NodeSelectorTerm]>([
    ['an empty term matches no node', false, {}],
    ['Gt', true, term({ key: 'cores', operator: 'Gt', values: ['7'] })],
    ['Gt is strict', false, term({ key: 'cores', operator: 'Gt', values: ['8'] })],
    ['Lt', true, term({ key: 'cores', operator: 'Lt', values: ['10'] })],
    ['Lt on a word', false, term({ key: 'size', operator: 'Lt', values: ['10'] })],
    ['Gt without the label', false, term({ key: 'disks', operator: 'Gt', values: ['0'] })],
    ['name', true, { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }],
    ['another name', false, { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n2'] }] }],
    ['not that name', true, { matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['n2'] }] }],
    [
      'labels and name both count',
      false,
      {
        matchExpressions: [{ key: 'zone', operator: 'In', values: ['b'] }],
        matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }],
      },
    ],
  ])('%s', (_, expected, it) => {
    expect(matches(it)).toBe(expected);
  });

  it('matches by any term, even beside an invalid one', () => {
    const broken = term({ key: 'zone', operator: 'Near', values: ['a'] });
    expect(matches(broken)).toBe(false);
    expect(matches(broken, term({ key: 'zone', operator: 'Exists' }))).toBe(true);
    expect(nodeSelectorMatcher({ nodeSelectorTerms: [broken] }).errors).toEqual([
      'nodeSelectorTerms[0].matchExpressions[0].operator: Unsupported value: "Near": supported values: "In", "NotIn", ' +
        '"Exists", "DoesNotExist", "Gt", "Lt"',
    ]);
    expect(
      nodeSelectorMatcher({ nodeSelectorTerms: [term({ key: 'cores', operator: 'Gt', values: ['many'] })] }).errors,
    ).toEqual([
      "nodeSelectorTerms[0].matchExpressions[0].values[0]: Invalid value: \"many\": for 'Gt', 'Lt' operators, " +
        'the value must be an integer',
    ]);
  });

  describe('of 1,000 terms', () => {
    const others = (key: string): NodeSelectorTerm[] =>
      Array.from({ length: 1_000 }, (_, i) => term({ key, operator: 'In', values: [`other${i}`] }));
    const differing = Array.from({ length: 1_000 }, (_, i) => term({ key: `k${i}`, operator: 'In', values: ['a'] }));

    it.each<[string, boolean, NodeSelectorTerm]>([
      ['one value of a label', true, term({ key: 'zone', operator: 'In', values: ['z', 'a'] })],
      ['another value', false, term({ key: 'zone', operator: 'In', values: ['z'] })],
      [
        'a value of a label that the node has not',
        false,
        term({ key: 'disks', operator: 'In', values: ['undefined'] }),
      ],
      ['no value', false, term({ key: 'zone', operator: 'In', values: [] })],
      [
        'a value among other conditions that fail',
        false,
        term({ key: 'cores', operator: 'Gt', values: ['8'] }, { key: 'zone', operator: 'In', values: ['a'] }),
      ],
      ['a label', true, term({ key: 'zone', operator: 'Exists' })],
      ['no such label', true, term({ key: 'disks', operator: 'DoesNotExist' })],
      ['a name', true, { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }],
    ])('the last asks for %s: %s', (_, expected, last) => {
      expect([matches(last), matches(...others('zone'), last), matches(...differing, last)]).toEqual([
        expected,
        expected,
        expected,
      ]);
    });

    it.each([
      ['of one label', others('zone')],
      ['of many labels', differing],
    ])('those %s that the node does not have are not asked', (_, nodeSelectorTerms) => {
      let looks = 0;
      const labels = new Proxy(node.labels, {
        get(all, key) {
          looks += 1;
          return Reflect.get(all, key);
        },
      });
      expect(nodeSelectorMatcher({ nodeSelectorTerms }).matches({ ...node, labels })).toBe(false);
      expect(looks).toBeLessThan(10);
    });
  });

  it('sums the weights of preferred terms', () => {
    const preferred = preferredTerms([
      { weight: 5, preference: term({ key: 'zone', operator: 'In', values: ['a'] }) },
      { weight: 7, preference: term({ key: 'zone', operator: 'In', values: ['b'] }) },
      { weight: 11, preference: {} },
      { weight: 13, preference: term({ key: 'size', operator: 'Exists' }) },
    ]);
    expect(preferred.errors).toEqual([]);
    expect(preferred.score(node)).toBe(18);
  });
});
