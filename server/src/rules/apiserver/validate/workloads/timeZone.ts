/**
 * The API server's errors for the name of a time zone. Upstream: batch validation.validateTimeZone, and Go's
 * time.LoadLocation, which looks names up in the tz database by their exact spelling.
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
  if (name.includes('..') || /^[/\\]/.test(name)) return ['time: invalid location name'];
  return isTimeZone(name) ? [] : [`unknown time zone ${name}`];
}

/**
 * Whether the tz database has a zone or link of this name, according to the JavaScript runtime. The runtime also
 * accepts other spellings (any case, abbreviations of its own library, offsets), which the database does not have: a
 * zone must be spelled as the runtime lists it; a link, which it does not list, must be spelled as links are. The
 * result may still differ from a server's if the databases are of different years, and for the files `posixrules`,
 * `posix/…` and `right/…` that some systems keep with the database.
 */
function isTimeZone(name: string): boolean {
  const zones = Intl.supportedValuesOf('timeZone');
  if (zones.includes(name) || WITHOUT_AREA.has(name)) return true;
  if (zones.some(it => it.toLowerCase() === name.toLowerCase())) return false;
  const [area = '', ...places] = name.split('/');
  const isSpelled = AREAS.has(area) && places.length > 0 && places.every(it => PLACE.test(it));
  return isSpelled && isKnownToRuntime(name);
}

const AREAS: ReadonlySet<string> = new Set(
  'Africa America Antarctica Arctic Asia Atlantic Australia Brazil Canada Chile Etc Europe Indian Mexico Pacific US'.split(
    ' ',
  ),
);

const PLACE = /^([A-Z][a-z]|(ACT|LHI|NSW|UCT|UTC|GMT([+-]?[0-9]+)?)$)/;

/** Names older than the convention of areas; the database adds no more of them. */
const WITHOUT_AREA: ReadonlySet<string> = new Set(
  (
    'CET CST6CDT Cuba EET EST EST5EDT Egypt Eire Factory GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland ' +
    'Iran Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK ' +
    'Singapore Turkey UCT UTC Universal W-SU WET Zulu'
  ).split(' '),
);

function isKnownToRuntime(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) !== undefined;
  } catch {
    return false;
  }
}
