// `node tools/audit.mjs FOLDER…`: which known advisories speak of what ships, by dist/sbom.cdx.json. FOLDERs hold advisories in the
// OSV format, one a JSON file, such as checkouts of github.com/golang/vulndb (data/osv) and github.com/github/advisory-database
// (advisories/github-reviewed). It asks nobody, and ends with 1 when there is one, with 2 where nothing could be compared.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './run.mjs';

/**
 * The advisories that speak of components.
 * @param {readonly { name: string, version: string, purl: string }[]} components
 * @param {Iterable<object>} advisories
 */
export function affected(components, advisories) {
  const byPackage = new Map(components.map(it => [keyOf(it), it]));
  const found = [];
  for (const { id, aliases = [], summary = '', withdrawn, affected: all = [] } of advisories) {
    if (withdrawn) continue;
    for (const { package: named, ranges = [], versions = [], ecosystem_specific: more } of all) {
      const component = byPackage.get(`${named?.ecosystem} ${named?.name}`);
      if (component === undefined) continue;
      const isIn = versions.includes(component.version) || ranges.some(it => isInRange(component.version, it));
      const imports = (more?.imports ?? []).map(it => it.path);
      if (isIn) found.push({ id, aliases, summary, component: `${component.name} ${component.version}`, imports });
    }
  }
  return found;
}

/** The standard library of Go has a name of its own there. */
function keyOf({ name, purl }) {
  if (purl.startsWith('pkg:golang/std@')) return 'Go stdlib';
  return `${purl.startsWith('pkg:golang/') ? 'Go' : 'npm'} ${name}`;
}

/** Events are in the order of versions; `fixed` is the first that is well again. */
function isInRange(version, { type, events = [] }) {
  if (type === 'GIT') return false;
  let isBad = false;
  for (const { introduced, fixed, last_affected: last } of events) {
    if (introduced !== undefined && compare(version, introduced) >= 0) isBad = true;
    if (fixed !== undefined && compare(version, fixed) >= 0) isBad = false;
    if (last !== undefined && compare(version, last) > 0) isBad = false;
  }
  return isBad;
}

/** By Semantic Versioning; Go's pseudo-versions are pre-releases. */
export function compare(a, b) {
  const [[left, leftPre], [right, rightPre]] = [partsOf(a), partsOf(b)];
  for (let i = 0; i < 3; i++) if ((left[i] ?? 0) !== (right[i] ?? 0)) return (left[i] ?? 0) - (right[i] ?? 0);
  if (leftPre === rightPre) return 0;
  if (leftPre === undefined) return 1;
  if (rightPre === undefined) return -1;
  return comparePre(leftPre.split('.'), rightPre.split('.'));
}

function comparePre(left, right) {
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const [a, b] = [left[i], right[i]];
    if (a === b) continue;
    if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
    const [isNumber, isOther] = [/^\d+$/.test(a), /^\d+$/.test(b)];
    if (isNumber && isOther) return Number(a) - Number(b);
    if (isNumber !== isOther) return isNumber ? -1 : 1;
    return a < b ? -1 : 1;
  }
  return 0;
}

function partsOf(version) {
  const [plain] = version.replace(/^v/, '').split('+');
  const dash = plain.indexOf('-');
  const numbers = (dash < 0 ? plain : plain.slice(0, dash)).split('.').map(Number);
  return [numbers, dash < 0 ? undefined : plain.slice(dash + 1)];
}

function* advisoriesIn(folder) {
  for (const it of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (it.isFile() && it.name.endsWith('.json')) yield JSON.parse(readFileSync(join(it.parentPath, it.name), 'utf8'));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { components } = JSON.parse(readFileSync(join(root, 'dist/sbom.cdx.json'), 'utf8'));
  const advisories = process.argv.slice(2).flatMap(it => [...advisoriesIn(it)]);
  const found = affected(components, advisories);
  for (const { id, aliases, summary, component, imports } of found) {
    console.log(
      `${component}: ${[id, ...aliases].join(', ')}: ${summary}${imports.length > 0 ? ` (${imports.join(', ')})` : ''}`,
    );
  }
  console.log(`${components.length} components, ${advisories.length} advisories: ${found.length} found`);
  process.exitCode = advisories.length === 0 ? 2 : found.length > 0 ? 1 : 0;
}
