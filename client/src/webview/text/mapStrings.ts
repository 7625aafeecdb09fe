import { counted } from './counted';

/** Texts of the map of nodes. */
export const english = {
  cpu: 'CPU',
  memory: 'Mem',
  pods: (count: number) => counted(count, 'Pod', 'Pods'),
  percent: (percent: number) => `${percent}\u00a0%`,
  key: '★ lands here, = as good, ✓ fits, ✕ does not fit. Bars and fill: what is used. Press a node for its Pods.',
  modes: { label: 'How nodes are shown', map: 'Map', cards: 'Cards' },
};

export const japanese: typeof english = {
  cpu: 'CPU',
  memory: 'メモリ',
  pods: count => `${count} Pod`,
  percent: percent => `${percent}\u00a0%`,
  key: '★ ここに配置、= 同点、✓ 配置可能、✕ 配置不可。バーと塗り: 使用量。ノードを押すと Pod を表示します。',
  modes: { label: 'ノードの表示方法', map: 'マップ', cards: 'カード' },
};
