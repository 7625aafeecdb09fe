import { describe, expect, it } from 'vitest';
import { externalCluster, notesOf } from '../../server/src/analysis/clusters/externalCluster';
import { requestFor } from '../../server/src/analysis/clusters/request';
import { clusterIndex } from '../../server/src/cluster/sources/clusterIndex';
import { EMPTY_CONTENT } from '../../server/src/cluster/sources/content';

/** What is noted of a cluster that runs a version, where the settings name another or none. */
function noted(kubernetesVersion: string, asked: { readonly minor: string; readonly patch?: number }): string {
  const request = requestFor('live:prod', '', 'settings')!;
  return notesOf(externalCluster(request, clusterIndex({ ...EMPTY_CONTENT, kubernetesVersion })), asked).join(' ');
}

describe('the version of a cluster', () => {
  it.each([
    ['1.34.2', { minor: '1.34' }],
    ['1.34', { minor: '1.34', patch: 2 }],
    ['1.34.2-gke.1200', { minor: '1.34', patch: 2 }],
  ])('%s is not noted beside %j', (version, asked) => {
    expect(noted(version, asked)).toBe('');
  });

  it('is noted where it has another minor or patch than the settings name', () => {
    expect(noted('1.34.2-gke.1200', { minor: '1.37' })).toContain(
      'runs Kubernetes 1.34.2-gke.1200; it is treated as 1.37.',
    );
    expect(noted('1.34.2', { minor: '1.34', patch: 1 })).toContain('it is treated as 1.34.1');
  });

  it.each(['1.29.1', '1.99'])('%s is none that Berth knows, and the known ones are named', version => {
    expect(noted(version, { minor: '1.37' })).toContain(
      `runs Kubernetes ${version}, which Berth does not know; it is treated as 1.37. Known: 1.31, `,
    );
  });
});
