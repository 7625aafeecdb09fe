/**
 * What the API server says to the name of a time zone. Upstream: batch validation.validateTimeZone, and Go's
 * time.LoadLocation, which looks names up in the tz database as they are spelled there.
 */
export function timeZoneErrors(name: string): readonly string[] {
  if (name === '') return ['timeZone must be nil or non-empty string'];
  const isName = name.split('/').every(it => PART.test(it) && it !== '.' && it !== '..' && !it.startsWith('-'));
  if (!isName) return [`unknown time zone ${name}`];
  const local = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
  return [...(name.toLowerCase() === 'local' ? [local] : []), ...locationErrors(name)];
}

const PART = /^[A-Za-z.\-_0-9+]{1,14}$/;

/** The error of Go's time.LoadLocation, if any. */
export function locationErrors(name: string): readonly string[] {
  if (name === '' || name === 'UTC' || name === 'Local') return [];
  if (name.split('/').includes('..') || /^[/\\]/.test(name)) return ['time: invalid location name'];
  return isTimeZone(name) ? [] : [`unknown time zone ${name}`];
}

/**
 * Whether the tz database has a zone or link of this name, by what the JavaScript runtime knows. The runtime has other
 * spellings too (letters of any case, old names of its own library, offsets), which the database has not: a zone must be
 * spelled as the runtime lists it; of a link, which it does not list, every part must begin with a capital letter. It
 * also lags behind or runs ahead where its database is of another year than the server's.
 */
function isTimeZone(name: string): boolean {
  const zones = Intl.supportedValuesOf('timeZone');
  if (name === 'Factory' || zones.includes(name)) return true;
  if (OLD_NAMES.has(name) || name.startsWith('SystemV/')) return false;
  if (zones.some(it => it.toLowerCase() === name.toLowerCase())) return false;
  return name.split('/').every(it => /^[A-Z]/.test(it)) && isKnownToRuntime(name);
}

function isKnownToRuntime(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) !== undefined;
  } catch {
    return false;
  }
}

/** Abbreviations that ICU takes for zones and the tz database does not. */
const OLD_NAMES: ReadonlySet<string> = new Set(
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(' '),
);
