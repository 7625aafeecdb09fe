/** Texts about trying a Pod on another node. */
export const english = {
  label: 'Tried on a node',
  menu: 'Try on node…',
  here: (pod: string) => `Would ${pod} fit here?`,
  hint: 'Drag it onto a node, or choose one here, to see whether it would fit',
  words: (words: string) => `kube-scheduler: ${words}`,
  close: 'Close',
};

export const japanese: typeof english = {
  label: 'ノードでの試行',
  menu: 'ノードで試す…',
  here: pod => `${pod} はここに合いますか?`,
  hint: 'ノードへドラッグするか、ここで選ぶと、合うかどうかを表示します',
  words: words => `kube-scheduler: ${words}`,
  close: '閉じる',
};
