/** What the preview says of an order of arrival, in each language. */
const english = {
  start: 'Arrival order…',
  startTitle: 'Have the Pods arrive one at a time, in an order of your own',
  tried: 'Order of arrival',
  label: 'Order of arrival: each Pod is tried when it comes, and those that wait are tried again after it',
  explained: 'Drag a Pod, or move it by its buttons, for another order.',
  goTo: (place: number, pod: string) => `${place}. ${pod}: show the nodes after it`,
  earlier: (pod: string) => `Earlier: ${pod}`,
  later: (pod: string) => `Later: ${pod}`,
  arrival: (place: number, of: number) => `Arrival ${place} of ${of}`,
  again: (sentence: string) => `then ${sentence}`,
  waits: (pod: string) => `${pod} waits`,
  before: 'no Pod has come yet',
};

const japanese: typeof english = {
  start: '到着順…',
  startTitle: '好きな順序で Pod を 1 つずつ到着させる',
  tried: '到着順',
  label: '到着順: 各 Pod は到着時に試され、待っている Pod はその後に再び試されます',
  explained: 'Pod をドラッグするか、ボタンで移動すると別の順序になります。',
  goTo: (place, pod) => `${place}. ${pod}: 到着後のノードを表示`,
  earlier: pod => `前へ: ${pod}`,
  later: pod => `後へ: ${pod}`,
  arrival: (place, of) => `到着 ${place} / ${of}`,
  again: sentence => `続いて ${sentence}`,
  waits: pod => `${pod} は待機`,
  before: 'まだ Pod は到着していません',
};

const language = typeof document === 'undefined' ? 'en' : document.documentElement.lang;

export const arrivalWords: typeof english = language.startsWith('ja') ? japanese : english;
