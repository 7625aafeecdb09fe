import { describe, expect, it } from 'vitest';
import {
  changeInWords,
  differenceInWords,
  inEnvironment,
  inOrder,
  isTrying,
  movedTo,
  onSource,
  scaled,
  triedBeside,
  underConfiguration,
  underProfile,
  withChange,
  withoutChange,
} from '../../client/src/webview/state/whatIf';
import { strings } from '../../client/src/webview/text/strings';
import type { PreviewDifference, PreviewModel, PreviewWorkload, WhatIf } from '../../server/src/analysis/preview/model';

const web: PreviewWorkload = {
  kind: 'Deployment',
  namespace: 'default',
  name: 'web',
  isScalable: true,
  pods: ['default/web-1', 'default/web-2'],
  onNode: 1,
  pending: 1,
  evicted: 0,
  nodes: ['n1'],
  zones: ['a'],
  victims: 0,
};
const NOTHING = { changes: [] };

describe('what is tried', () => {
  const changed = (whatIf: WhatIf): readonly string[] => whatIf.changes.map(changeInWords);
  const more = scaled(web, NOTHING, it => it + 1);

  it('counts on from what is there, and says the last number alone', () => {
    const once = more(NOTHING);
    const shown = { ...web, pods: [...web.pods, 'default/web-3'] };
    expect(changed(scaled(shown, once, it => it + 1)(once))).toEqual(['Deployment/web with 4 replicas']);
    expect(changed(scaled(web, NOTHING, it => 1.3 * it)(NOTHING))).toEqual(['Deployment/web with 3 replicas']);
    expect(changed(scaled(web, NOTHING, () => 0)(NOTHING))).toEqual(['Deployment/web with 0 replicas']);
  });

  it('counts on from what is on its way', () => {
    expect(changed(more(more(NOTHING)))).toEqual(['Deployment/web with 4 replicas']);
    const twice = { changes: [{ do: 'scaleBy', factor: 2 } as const] };
    const fourTimes = { changes: [{ do: 'scaleBy', factor: 4 } as const] };
    expect(changed(more(twice))).toContain('Deployment/web with 5 replicas');
    expect(changed(scaled(web, twice, it => it + 1)(fourTimes))).toContain('Deployment/web with 5 replicas');
    const other: WhatIf = { changes: [{ do: 'scale', object: { kind: 'Deployment', name: 'api' }, replicas: 9 }] };
    expect(changed(more(other))).toContain('Deployment/web with 3 replicas');
  });

  it('multiplies factors of everything', () => {
    const twiceTwo = withChange(withChange(NOTHING, { do: 'scaleBy', factor: 2 }), { do: 'scaleBy', factor: 2 });
    expect(twiceTwo.changes.map(changeInWords)).toEqual(['all workloads ×4']);
  });

  it('keeps one fate for a node, and all nodes apart', () => {
    const tried = [
      { do: 'cordon', node: 'n1' } as const,
      { do: 'drain', node: 'n2' } as const,
      { do: 'nodeDown', node: 'n1' } as const,
    ].reduce(withChange, { ...NOTHING, strategy: 'pack' as const });
    expect(tried.changes.map(changeInWords)).toEqual(['n2 drained', 'n1 down']);
    expect(withoutChange(tried, { do: 'drain', node: 'n2' })).toEqual({
      strategy: 'pack',
      changes: [{ do: 'nodeDown', node: 'n1' }],
    });
  });
});

describe('the environment', () => {
  it('is tried unless it is the one that counts anyway', () => {
    const other = inEnvironment(NOTHING, 'prod', ['dev', 'prod']);
    expect([other.environment, isTrying(other)]).toEqual(['prod', true]);
    expect(isTrying(inEnvironment(other, 'dev', ['dev', 'prod']))).toBe(false);
  });
});

describe('what else the placement hangs on', () => {
  const choices: PreviewModel['choices'] = {
    strategies: [],
    environments: [],
    movers: [],
    sources: [
      { key: 'auto', label: 'auto' },
      { key: 'kind:file:///ws/kind.yaml', label: 'kind:kind.yaml' },
    ],
    configurations: [{ key: 'file:///ws/two.yaml', label: 'two.yaml' }],
    profiles: ['default-scheduler', 'packing'],
  };

  it('is tried together, and each taken back alone', () => {
    const source = onSource(NOTHING, 'kind:file:///ws/kind.yaml', choices.sources);
    const tried = underProfile(underConfiguration(source, 'file:///ws/two.yaml'), 'packing');
    const beside = triedBeside(tried, choices);
    expect(beside.map(it => it.words)).toEqual(['Cluster: kind:kind.yaml', 'Scheduler: two.yaml', 'Profile: packing']);
    expect(beside[0]?.without(tried)).toEqual({
      changes: [],
      configuration: 'file:///ws/two.yaml',
      profile: 'packing',
    });
    // Its profiles went with the configuration.
    expect(beside[1]?.without(tried)).toEqual(source);
    // What came on its way since then stays.
    const onItsWay: WhatIf = { ...tried, strategy: 'pack', changes: [{ do: 'drain', node: 'n2' }] };
    const { source: _, ...onOwn } = onItsWay;
    expect(beside[0]?.without(onItsWay)).toEqual(onOwn);
    expect(beside[2]?.without(tried)).toEqual(underConfiguration(source, 'file:///ws/two.yaml'));
  });

  it('is not tried when it is the environment’s own', () => {
    const back = onSource(onSource(NOTHING, 'default', choices.sources), 'auto', choices.sources);
    expect([back, underProfile(underProfile(back, 'packing'), '')].map(isTrying)).toEqual([false, false]);
    expect(triedBeside({ changes: [], source: 'default' }, choices)[0]?.words).toBe('Cluster: Example cluster');
  });
});

describe('the difference', () => {
  const none: PreviewDifference = {
    moved: [],
    lost: [],
    pending: [],
    placed: [],
    evicted: [],
    removed: [],
    problems: [],
  };
  const said = (difference: Partial<PreviewDifference>): string =>
    differenceInWords({
      tried: { whatIf: NOTHING, difference: { ...none, ...difference } },
    } as unknown as PreviewModel);

  it('says the worst first, and what could not be done', () => {
    expect(
      said({
        moved: [{ pod: 'a', from: 'n1', to: 'n2' }],
        pending: ['b', 'c'],
        lost: ['d'],
        problems: ['there is no Node "n9"'],
      }),
    ).toBe('2 Pods without a node, 1 Pod lost, 1 Pod moved. there is no Node "n9"');
  });

  it('says that nothing changes', () => {
    expect(said({})).toBe(strings.whatIf.difference.nothing);
  });
});

describe('an order of arrival', () => {
  it.each([
    [0, 2, 'bca'],
    [2, 0, 'cab'],
    [1, 1, 'abc'],
    [0, -1, 'abc'],
    [2, 3, 'abc'],
  ])('has an item moved from %i to %i', (from, to, order) => {
    expect(movedTo([...'abc'], from, to).join('')).toBe(order);
  });

  it('takes the place of what moves Pods later, and is taken back by its chip', () => {
    const mover = { kind: 'vpa', vpa: 'a/b', mode: 'Recreate', round: 1, now: 0 } as const;
    const tried = inOrder(['default/a'])({ changes: [], mover });
    expect(tried).toEqual({ changes: [], order: ['default/a'] });
    const [chip] = triedBeside(tried, { sources: [], configurations: [] } as never);
    expect(chip?.words).toBe('Order of arrival');
    expect(chip?.without(tried)).toEqual({ changes: [] });
  });
});
