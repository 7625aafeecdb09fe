/** What the preview says of the way to a finding of an exploration, in each language. */
const english = {
  tried: 'What could happen',
  label: 'Steps to what could happen',
  short: { first: 'First', back: 'Back', forth: 'Next', last: 'Last' },
  first: 'First: before any step',
  back: 'Back: one step',
  forth: 'Next: one step',
  last: 'Last: after all steps',
  before: 'nothing has happened yet',
  step: (step: number, of: number) => `Step ${step} of ${of}`,
  repeats: 'from here again and again',
};

const japanese: typeof english = {
  tried: '起こりうること',
  label: '起こりうることへのステップ',
  short: { first: '最初', back: '前', forth: '次', last: '最後' },
  first: '最初: どのステップよりも前',
  back: '前: 1 つ戻る',
  forth: '次: 1 つ進む',
  last: '最後: すべてのステップの後',
  before: 'まだ何も起きていません',
  step: (step, of) => `ステップ ${step} / ${of}`,
  repeats: 'ここから何度も繰り返されます',
};

const language = typeof document === 'undefined' ? 'en' : document.documentElement.lang;

export const trailWords: typeof english = language.startsWith('ja') ? japanese : english;
