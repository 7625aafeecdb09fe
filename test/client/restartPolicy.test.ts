import { describe, expect, it } from 'vitest';
import { createRestartPolicy } from '../../client/src/restartPolicy';

function ending() {
  const clock = { now: 0 };
  const ends = createRestartPolicy(() => clock.now);
  return { ends, clock };
}

describe('crashes of the language server', () => {
  it('leave a file out from the second end at it on', () => {
    const { ends } = ending();
    expect([ends.isCareful, ends.leftOutFiles]).toEqual([false, []]);
    // Files that are read together are all noted.
    ends.serverEnded(['a', 'b', 'c']);
    expect([ends.isCareful, ends.leftOutFiles]).toEqual([true, []]);
    ends.serverEnded(['b']);
    expect(ends.leftOutFiles).toEqual(['b']);
  });

  it('start it again until there are five within three minutes', () => {
    const { ends } = ending();
    expect(['', '', '', '', ''].map(() => ends.serverEnded([]))).toEqual([
      ...Array(4).fill('start again'),
      'stay stopped',
    ]);
  });

  it('are counted from zero again after three minutes', () => {
    const { ends, clock } = ending();
    for (let i = 0; i < 20; i++) {
      clock.now += 60_000;
      expect(ends.serverEnded([])).toBe('start again');
    }
  });

  it('do not count once their file is left out: several bad files are survived', () => {
    const { ends } = ending();
    for (const file of ['a', 'b', 'c', 'd']) {
      expect([ends.serverEnded([file]), ends.serverEnded([file])]).toEqual(['start again', 'start again']);
    }
    expect(ends.leftOutFiles).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are forgotten when the user starts the server', () => {
    const { ends } = ending();
    ends.serverEnded(['a']);
    ends.serverEnded(['a']);
    ends.reset();
    expect([ends.isCareful, ends.leftOutFiles]).toEqual([false, []]);
  });
});
