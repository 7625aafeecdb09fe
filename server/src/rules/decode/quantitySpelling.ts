import { fits } from './decode';

/** Units as people write them, in lower case, and the suffixes that they may mean, the likeliest first. */
const UNITS: Readonly<Record<string, readonly string[]>> = {
  k: ['k', 'Ki'],
  kb: ['k', 'Ki'],
  kib: ['Ki'],
  ki: ['Ki'],
  mb: ['M', 'Mi'],
  mib: ['Mi'],
  mi: ['Mi'],
  g: ['G', 'Gi'],
  gb: ['G', 'Gi'],
  gib: ['Gi'],
  gi: ['Gi'],
  t: ['T', 'Ti'],
  tb: ['T', 'Ti'],
  tib: ['Ti'],
  ti: ['Ti'],
  b: [''],
  byte: [''],
  bytes: [''],
  cpu: [''],
  cpus: [''],
  core: [''],
  cores: [''],
  vcpu: [''],
  millicore: ['m'],
  millicores: ['m'],
  mcpu: ['m'],
};

/**
 * Quantities that an invalid text may mean, the likeliest first: `1 Gi` → `1Gi`, `100MB` → `100M` or `100Mi`, `0.5 cpu`
 * → `0.5`. Empty if the unit is not recognized.
 */
export function quantitySpellings(text: string, resource: string): readonly string[] {
  const [, number, unit] = /^(\d+(?:[.,]\d+)?)\s*([A-Za-z]*)$/.exec(text.trim()) ?? [];
  if (number === undefined || unit === undefined) return [];
  const amount = number.replace(',', '.');
  const known = Object.hasOwn(UNITS, unit.toLowerCase()) ? (UNITS[unit.toLowerCase()] ?? []) : [];
  const suffixes = fits(`${amount}${unit}`, 'quantity') ? [unit] : resource === 'cpu' ? known.slice(0, 1) : known;
  return suffixes.map(it => `${amount}${it}`).filter(it => fits(it, 'quantity'));
}
