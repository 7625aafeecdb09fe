import { counted } from './counted';

/** Texts of the map of nodes. */
export const english = {
  cpu: 'CPU',
  memory: 'Mem',
  pods: (count: number) => counted(count, 'Pod', 'Pods'),
  percent: (percent: number) => `${percent}\u00a0%`,
  key: '★ lands here, = as good, ✓ fits, ✕ does not fit, each at its turn. Bars: what is used in the end.',
  modes: { label: 'How nodes are shown', map: 'Map', cards: 'Cards' },
};

export const japanese: typeof english = {
  cpu: 'CPU',
  memory: 'メモリ',
  pods: count => `${count} Pod`,
  percent: percent => `${percent}\u00a0%`,
  key: '★ ここに配置、= 同点、✓ 配置可能、✕ 配置不可 (試した時点)。バー: 最終的な使用量。',
  modes: { label: 'ノードの表示方法', map: 'マップ', cards: 'カード' },
};
