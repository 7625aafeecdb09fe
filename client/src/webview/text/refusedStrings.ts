import type { RefusedBy } from '../../../../server/src/analysis/previewModel';
import { counted } from './counted';

const podCount = (count: number): string => counted(count, 'Pod', 'Pods');

/** Texts about Pods that never come into the cluster. */
export const english = {
  count: (count: number) => `${count} refused`,
  group: 'Refused',
  title: 'Refused before the scheduler sees them',
  by: {
    apiServer: 'the API server finds the object invalid',
    podSecurity: 'Pod Security does not allow them',
    quota: 'the quota of the namespace is used up',
    admission: 'admission refuses them',
    policy: 'a policy refuses them',
  } as Readonly<Record<RefusedBy, string>>,
  short: {
    apiServer: 'invalid',
    podSecurity: 'Pod Security',
    quota: 'quota',
    admission: 'admission',
    policy: 'policy',
  } as Readonly<Record<RefusedBy, string>>,
  decision: (name: string, count: number, why: string) => `${name}: ${podCount(count)} refused, as ${why}.`,
  row: (name: string, count: number, reason: string) => `${name}, ${podCount(count)} refused, ${reason}`,
  workload: 'Workload',
  pods: 'Pods',
  reason: 'Reason',
  words: 'Message of the server',
};

export const japanese: typeof english = {
  count: count => `拒否 ${count}`,
  group: '拒否',
  title: 'スケジューラーに届く前に拒否された Pod',
  by: {
    apiServer: 'API サーバーがオブジェクトを無効と判断するため',
    podSecurity: 'Pod Security が許可しないため',
    quota: '名前空間のクォータを使い切ったため',
    admission: 'アドミッションが拒否するため',
    policy: 'ポリシーが拒否するため',
  },
  short: {
    apiServer: '無効',
    podSecurity: 'Pod Security',
    quota: 'クォータ',
    admission: 'アドミッション',
    policy: 'ポリシー',
  },
  decision: (name, count, why) => `${name}: ${why}、${count} 個の Pod が拒否されます。`,
  row: (name, count, reason) => `${name}、${count} 個の Pod が拒否、${reason}`,
  workload: 'ワークロード',
  pods: 'Pod',
  reason: '理由',
  words: 'サーバーのメッセージ',
};
