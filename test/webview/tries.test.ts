import { describe, expect, it } from 'vitest';
import { strings } from '../../client/src/webview/strings';
import {
  changeInWords,
  differenceInWords,
  inEnvironment,
  isTrying,
  oneMore,
  twice,
  withChange,
  withoutChange,
} from '../../client/src/webview/tries';
import type { PreviewDifference, PreviewModel, PreviewWorkload } from '../../server/src/analysis/preview';

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

describe('the environment', () => {
  it('is tried unless it is the one that counts anyway', () => {
    const other = inEnvironment(NOTHING, 'prod', ['dev', 'prod']);
    expect([other.environment, isTrying(other)]).toEqual(['prod', true]);
    expect(isTrying(inEnvironment(other, 'dev', ['dev', 'prod']))).toBe(false);
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
