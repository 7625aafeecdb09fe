import type { GraphFinding } from '../../../../server/src/analysis/stateGraph';

const number = (many: number): string => many.toLocaleString('en');
const count = (many: number, one: string): string => `${number(many)} ${one}${many === 1 ? '' : 's'}`;

type Finding = Pick<GraphFinding, 'kind' | 'name' | 'steps'>;

/** What the page of the state graph says, in each language. */
const english = {
  waiting: 'Visiting the states…',
  nothing: 'Nothing to draw',
  visited: (states: number, transitions: number) => `${count(states, 'state')}, ${count(transitions, 'transition')}`,
  complete: 'every state was visited',
  incomplete: 'not every state was visited',
  drawn: (drawn: number, states: number) => `${number(drawn)} of ${count(states, 'state')} drawn`,
  drawnPart: (drawn: number) => `the nearest ${count(drawn, 'state')} drawn`,
  finding: 'Finding',
  noFinding: 'None',
  noFindings: 'Nothing was found: no deadlock, and no property is violated.',
  findings: ({ kind, name = '', steps }: Finding): string => {
    const after = `after ${count(steps, 'step')}`;
    if (kind === 'deadlock') return `A deadlock ${after}`;
    if (kind === 'failure') return `No value ${after}: ${name}`;
    if (kind === 'never') return `“${name}” becomes true ${after}`;
    if (kind === 'atEnd') return `“${name}” is false at the end ${after}`;
    if (kind === 'canAlwaysReach') return `“${name}” cannot be reached any more ${after}`;
    return `“${name}”: steps can repeat for ever ${after}`;
  },
  show: 'Show',
  scopes: { all: 'All states', way: 'The steps alone', near: (steps: number) => `Within ${count(steps, 'step')}` },
  filter: 'Filter states',
  matches: (some: number, all: number) => `${number(some)} of ${number(all)} match`,
  smaller: 'Smaller',
  larger: 'Larger',
  fit: 'Fit the window',
  exports: { label: 'Export…', svg: 'Picture (SVG)', dot: 'Graphviz (DOT)', mermaid: 'Mermaid' },
  picture: 'State graph',
  pictureHelp: 'Arrow keys go from state to state',
  noPicture: 'Laying out a picture of this graph takes too long. The steps are beside; fewer states can be drawn.',
  state: (n: number) => `State ${number(n)}`,
  marks: { initial: 'start', deadlock: 'deadlock', violation: 'violation', end: 'end', found: 'the finding' },
  legend: { initial: 'Start', bad: 'Deadlock or violation', end: 'End', way: 'On the way' },
  steps: 'Steps',
  short: { first: 'First', back: 'Back', forth: 'Next', last: 'Last' },
  first: 'First: to the start',
  back: 'Back: one step',
  forth: 'Next: one step',
  last: 'Last: to the finding',
  position: (at: number, of: number) => `Step ${number(at)} of ${number(of)}`,
  start: 'The start',
  again: 'And then again and again',
  fails: '(has no value)',
  noSteps: 'No finding is chosen.',
  variables: {
    of: (what: string) => `Values: ${what}`,
    name: 'Name',
    before: 'Before',
    now: 'Now',
    changed: 'changed',
  },
  more: (rest: number) => `${number(rest)} more`,
};

export type GraphStrings = typeof english;

const japanese: GraphStrings = {
  waiting: '状態を調べています…',
  nothing: '表示するものがありません',
  visited: (states, transitions) => `状態 ${number(states)}、遷移 ${number(transitions)}`,
  complete: 'すべての状態を調べました',
  incomplete: '調べていない状態があります',
  drawn: (drawn, states) => `${number(states)} 個中 ${number(drawn)} 個の状態を表示`,
  drawnPart: drawn => `近い順に ${number(drawn)} 個の状態を表示`,
  finding: '検出結果',
  noFinding: 'なし',
  noFindings: 'デッドロックも、性質の違反も見つかりませんでした。',
  findings: ({ kind, name = '', steps }) => {
    const after = `${number(steps)} ステップ後`;
    if (kind === 'deadlock') return `${after}にデッドロック`;
    if (kind === 'failure') return `${after}に値なし: ${name}`;
    if (kind === 'never') return `${after}に「${name}」が真になる`;
    if (kind === 'atEnd') return `${after}の終わりで「${name}」が偽`;
    if (kind === 'canAlwaysReach') return `${after}に「${name}」へ到達できなくなる`;
    return `「${name}」: ${after}から同じ手順を繰り返しうる`;
  },
  show: '表示',
  scopes: { all: 'すべての状態', way: '手順のみ', near: steps => `${number(steps)} ステップ以内` },
  filter: '状態を絞り込む',
  matches: (some, all) => `${number(all)} 個中 ${number(some)} 個が一致`,
  smaller: '縮小',
  larger: '拡大',
  fit: 'ウィンドウに合わせる',
  exports: { label: 'エクスポート…', svg: '画像 (SVG)', dot: 'Graphviz (DOT)', mermaid: 'Mermaid' },
  picture: '状態グラフ',
  pictureHelp: '矢印キーで状態を移動します',
  noPicture: 'このグラフの配置には時間がかかりすぎます。手順は横にあります。表示する状態を減らせます。',
  state: n => `状態 ${number(n)}`,
  marks: { initial: '開始', deadlock: 'デッドロック', violation: '違反', end: '終了', found: '検出結果' },
  legend: { initial: '開始', bad: 'デッドロックまたは違反', end: '終了', way: '手順上' },
  steps: '手順',
  short: { first: '最初', back: '前', forth: '次', last: '最後' },
  first: '最初: 開始へ',
  back: '前: 1 つ戻る',
  forth: '次: 1 つ進む',
  last: '最後: 最後の手順へ',
  position: (at, of) => `ステップ ${number(at)} / ${number(of)}`,
  start: '開始',
  again: 'この先は繰り返し',
  fails: '(値がありません)',
  noSteps: '検出結果が選ばれていません。',
  variables: { of: what => `値: ${what}`, name: '名前', before: '前', now: '現在', changed: '変化' },
  more: rest => `ほか ${number(rest)}`,
};

const language = typeof document === 'undefined' ? 'en' : document.documentElement.lang;

export const graphStrings: GraphStrings = language.startsWith('ja') ? japanese : english;
