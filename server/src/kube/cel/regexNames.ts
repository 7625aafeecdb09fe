/** A pattern of Go, rewritten for re2js. */
export interface Respelled {
  readonly source: string;
  /** The rewritten parts in order: the new text, and the original one. */
  readonly pieces: readonly (readonly [made: string, written: string])[];
  /** The original name of a group by its new name; groups with the same name have different new ones. */
  readonly names: ReadonlyMap<string, string>;
}

/** Long names of categories, in the form that `canonicalName` returns. Upstream: unicode.CategoryAliases. */
const CATEGORIES: Readonly<Record<string, string>> = {
  Casedletter: 'LC',
  Closepunctuation: 'Pe',
  Cntrl: 'Cc',
  Combiningmark: 'M',
  Connectorpunctuation: 'Pc',
  Control: 'Cc',
  Currencysymbol: 'Sc',
  Dashpunctuation: 'Pd',
  Decimalnumber: 'Nd',
  Digit: 'Nd',
  Enclosingmark: 'Me',
  Finalpunctuation: 'Pf',
  Format: 'Cf',
  Initialpunctuation: 'Pi',
  Letter: 'L',
  Letternumber: 'Nl',
  Lineseparator: 'Zl',
  Lowercaseletter: 'Ll',
  Mark: 'M',
  Mathsymbol: 'Sm',
  Modifierletter: 'Lm',
  Modifiersymbol: 'Sk',
  Nonspacingmark: 'Mn',
  Number: 'N',
  Openpunctuation: 'Ps',
  Other: 'C',
  Otherletter: 'Lo',
  Othernumber: 'No',
  Otherpunctuation: 'Po',
  Othersymbol: 'So',
  Paragraphseparator: 'Zp',
  Privateuse: 'Co',
  Punct: 'P',
  Punctuation: 'P',
  Separator: 'Z',
  Spaceseparator: 'Zs',
  Spacingmark: 'Mc',
  Surrogate: 'Cs',
  Symbol: 'S',
  Titlecaseletter: 'Lt',
  Unassigned: 'Cn',
  Uppercaseletter: 'Lu',
};

/**
 * Names that re2js knows and Go does not: properties that are not categories, and scripts of later versions of Unicode.
 */
const UNKNOWN: ReadonlySet<string> = new Set([
  'Alphabetic',
  'Dash',
  'Emoji',
  'Garay',
  'Lowercase',
  'Math',
  'Sidetic',
  'Sunuwar',
  'Todhri',
  'Unknown',
  'Uppercase',
]);

/** Group 1 is a character class by name. The other alternatives skip text that only looks like one. */
const PROPERTY = /\\Q[\s\S]*?(?:\\E|$)|(\\[pP](?:[a-z]|\{[^}]*\}))|\\[\s\S]/g;
/** A bracketed class, or the start of a named group, whose name is group 1. The other alternatives skip text that only looks like one. */
const CLASS_OR_GROUP =
  /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\[:\^?\w*:\]|\\[\s\S]?|[^\\\]])*(?:\]|$)|\(\?P?<(\w+)>/g;

/** Rewrites the parts of a pattern that re2js reads differently from Go. */
export function respelled(pattern: string): Respelled {
  const pieces: [made: string, written: string][] = [];
  const names = new Map<string, string>();
  const noted = (made: string, written: string): string => {
    if (made !== written) pieces.push([made, written]);
    return made;
  };
  const source = pattern
    .replace(PROPERTY, (written, property?: string) =>
      property === undefined ? written : noted(propertyOf(property), written),
    )
    .replace(CLASS_OR_GROUP, (written: string, name: string | undefined, at: number, whole: string) => {
      if (name === undefined) return noted(classOf(written, whole.slice(at + written.length)), written);
      let own = names.has(name) ? `${name}_${names.size}` : name;
      while (names.has(own)) own += '_';
      names.set(own, name);
      return noted(`(?P<${own}>`, written);
    });
  return { source, pieces, names };
}

/** `[:` starts the name of a class only if a `:]` follows that does not share its colon. */
const classOf = (written: string, rest: string): string =>
  /^\[(?:\\.|[^\\])*\[:\]$/s.test(written) && !rest.includes(':]') ? `${written.slice(0, -3)}\\[:]` : written;

/** `\p{greek}` is `\p{Greek}`, `\P{^letter}` is `\P{^L}`, `\pl` is `\p{L}`. Upstream: syntax.unicodeTable. */
function propertyOf(written: string): string {
  const [, negation = '', name = ''] = /^\\.\{?(\^?)([^}]*)/s.exec(written) ?? [];
  const canonical = canonicalName(name);
  const known = CATEGORIES[canonical] ?? canonical;
  return `${written.slice(0, 2)}{${negation}${UNKNOWN.has(known) ? known.toLowerCase() : known}}`;
}

/** Upstream: syntax.canonicalName. */
function canonicalName(name: string): string {
  const short = name.replace(/[-_ ]/g, '');
  const lower = (it: string) => it.replace(/[A-Z]/g, letter => letter.toLowerCase());
  return short.slice(0, 1).replace(/[a-z]/, letter => letter.toUpperCase()) + lower(short.slice(1));
}
