import { describe, expect, it } from 'vitest';
import { strings } from '../../client/src/webview/strings';
import {
  changeInWords,
  differenceInWords,
  inEnvironment,
  isTrying,
  oneMore,
  onSource,
  rebased,
  timesAsMany,
  triedBeside,
  twice,
  underConfiguration,
  underProfile,
  withChange,
  withoutChange,
  withReplicas,
} from '../../client/src/webview/tries';
import type { PreviewDifference, PreviewModel, PreviewWorkload, WhatIf } from '../../server/src/analysis/preview';

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
  it('counts on from what is there, and says the last number alone', () => {
    const once = withChange(NOTHING, oneMore(web));
    const again = withChange(once, oneMore({ ...web, pods: [...web.pods, 'default/web-3'] }));
    expect(again.changes.map(changeInWords)).toEqual(['Deployment/web with 4 replicas']);
    expect(changeInWords(twice(web))).toBe('Deployment/web with 4 replicas');
  });

  it('takes any number of replicas, or times as many as there are', () => {
    const five = withChange(NOTHING, withReplicas(web, 5));
    expect(withChange(five, timesAsMany(web, 1.5)).changes.map(changeInWords)).toEqual([
      'Deployment/web with 3 replicas',
    ]);
    expect(changeInWords(withReplicas(web, 0))).toBe('Deployment/web with 0 replicas');
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
    expect(withoutChange(tried, 0)).toEqual({ strategy: 'pack', changes: [{ do: 'nodeDown', node: 'n1' }] });
  });
});

describe('what is tried before the last thing is shown', () => {
  const shown: WhatIf = { changes: [{ do: 'cordon', node: 'n1' }], strategy: 'pack', environment: 'prod' };
  const sent = withChange(shown, { do: 'drain', node: 'n2' });

  it('joins what is on its way', () => {
    const next = withChange({ ...shown, strategy: 'spread' as const }, { do: 'nodeDown', node: 'n3' });
    expect(rebased(sent, shown, next)).toEqual({
      changes: [
        { do: 'cordon', node: 'n1' },
        { do: 'drain', node: 'n2' },
        { do: 'nodeDown', node: 'n3' },
      ],
      strategy: 'spread',
      environment: 'prod',
    });
  });

  it('takes back what was taken back, and nothing else', () => {
    const { environment: _, ...here } = withoutChange(shown, 0);
    expect(rebased(sent, shown, here)).toEqual({ changes: [{ do: 'drain', node: 'n2' }], strategy: 'pack' });
    const onItsWay = { ...sent, profile: 'packing' };
    expect(rebased(onItsWay, shown, { ...shown, strategy: 'default' })).toEqual({ ...onItsWay, strategy: 'default' });
  });

  it('is nothing after a reset', () => {
    expect(rebased(sent, shown, NOTHING)).toEqual(NOTHING);
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
    expect(beside[0]?.without).toEqual({ changes: [], configuration: 'file:///ws/two.yaml', profile: 'packing' });
    // Its profiles went with the configuration.
    expect(beside[1]?.without).toEqual(source);
    expect(beside[2]?.without).toEqual(underConfiguration(source, 'file:///ws/two.yaml'));
  });

  it('is not tried when it is the environment’s own', () => {
    const back = onSource(onSource(NOTHING, 'default', choices.sources), 'auto', choices.sources);
    expect([back, underProfile(underProfile(back, 'packing'), '')].map(isTrying)).toEqual([false, false]);
    expect(triedBeside({ changes: [], source: 'default' }, choices)[0]?.words).toBe('Cluster: Default cluster');
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
    expect(said({})).toBe(strings.tries.difference.nothing);
  });
});
