import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PINNED_GO } from './go-toolchain.mjs';
import { patches } from './policy-engine/patches.mjs';

/**
 * What ships, as a CycloneDX 1.6 bill of materials: the npm packages in the bundles, with the sums of package-lock.json, and the
 * Go modules in the policy engine, with those of go.sum. It says the same for the same contents. Throws where a component
 * has no sum or no licence that can be named.
 * @param {string} root
 * @param {readonly { path: string, version: string, declared?: string }[]} packages as `packagesOf` gives them
 * @param {string} dist
 */
export function billOfMaterials(root, packages, dist) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const own = `pkg:npm/${name}@${version}`;
  const components = [...npmComponents(root, packages), ...goComponents(root, dist)];
  const body = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': own, name, version, purl: own, licenses: licensesOf(license) },
    },
    components,
    dependencies: [
      { ref: own, dependsOn: components.map(it => it['bom-ref']) },
      ...components.map(it => ({ ref: it['bom-ref'] })),
    ],
  };
  return { ...body, serialNumber: `urn:uuid:${uuidOf(JSON.stringify(body))}` };
}

function npmComponents(root, packages) {
  const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return packages.map(({ path, version, declared }) => {
    const isThis = ([place, it]) => place.endsWith(`node_modules/${path}`) && it.version === version;
    const [, { integrity = '' } = {}] = Object.entries(locked).find(isThis) ?? [];
    const [, sum] = /^sha512-([A-Za-z0-9+/=]+)$/.exec(integrity) ?? [];
    if (sum === undefined) throw new Error(`${path} ${version} has no sum in package-lock.json`);
    const purl = `pkg:npm/${path.replace('@', '%40')}@${version}`;
    return {
      ...libraryOf(path, version, purl, licensesOf(declared?.replace(/^Licence: /, ''))),
      hashes: [{ alg: 'SHA-512', content: Buffer.from(sum, 'base64').toString('hex') }],
    };
  });
}

/** The modules that the notices of the built engine name; none where this build has no engine. */
function goComponents(root, dist) {
  const notices = join(dist, 'policyEngine.notices.txt');
  if (!existsSync(notices)) return [];
  const sums = new Map(
    readFileSync(join(root, 'server/policyEngine/go.sum'), 'utf8')
      .split('\n')
      .map(it => it.split(' '))
      .map(([path, version, sum]) => [`${path} ${version}`, sum]),
  );
  const modules = new Map();
  for (const part of readFileSync(notices, 'utf8').split(/\n-{100}\n/)) {
    const named = [...part.matchAll(/^(\S+) (v\S+) \((\S+)\)$/gm)];
    for (const [, path, version, file] of named) {
      const known = modules.get(path) ?? { path, version, licences: new Set() };
      const licence = licenceIn(part);
      if (licence !== undefined) known.licences.add(licence);
      else if (!/^(?:notice|patents)|\.docs$/i.test(file))
        throw new Error(`${path} ${version}: whose licence is ${file}?`);
      modules.set(path, known);
    }
  }
  const libraries = [...modules.values()].map(({ path, version, licences }) => {
    const sum = sums.get(`${path} ${version}`);
    if (sum === undefined) throw new Error(`${path} ${version} has no sum in go.sum`);
    const patched = patches.filter(it => it.module === path).map(it => it.file);
    return {
      ...libraryOf(path, version, `pkg:golang/${path}@${version}`, licensesOf([...licences].sort().join(' AND '))),
      ...(patched.length > 0 && {
        pedigree: { notes: `Changed while it is built, by tools/policy-engine/patches.mjs: ${patched.join(', ')}` },
      }),
      properties: [{ name: 'berth:go.sum', value: sum }],
    };
  });
  const go = goVersion();
  const standard = libraryOf('std', go, `pkg:golang/std@${go}`, licensesOf('BSD-3-Clause'));
  return [...libraries, standard].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What the engine was built with: this machine's Go where it is new enough, else the pinned one. */
function goVersion() {
  const run = spawnSync('go', ['env', 'GOVERSION'], {
    encoding: 'utf8',
    env: { ...process.env, GOTOOLCHAIN: 'local' },
  });
  const [version, minor] = /go1\.(\d+)(?:\.\d+)?/.exec(run.stdout ?? '') ?? [];
  return version !== undefined && Number(minor) >= PINNED_GO[1] ? version.slice(2) : PINNED_GO.join('.');
}

const libraryOf = (name, version, purl, licenses) => ({
  type: 'library',
  'bom-ref': purl,
  name,
  version,
  purl,
  licenses,
});

function licensesOf(declared) {
  if (!declared) throw new Error('a component has no licence');
  return /^[A-Za-z0-9.+-]+$/.test(declared) ? [{ license: { id: declared } }] : [{ expression: declared }];
}

/** The SPDX identifier of a text, by the words that only this licence has. */
const WORDS = [
  ['Apache-2.0', /Apache License\s+Version 2\.0/],
  ['MPL-2.0', /Mozilla Public License,? [Vv]ersion 2\.0/],
  ['ISC', /Permission to use, copy, modify, and\/?(?:or)? distribute this software/],
  ['MIT', /Permission is hereby granted, free of charge, to any person/],
  ['BSD-3-Clause', /Redistribution and use[\s\S]*(?:[Nn]either the names? of|endorse or promote)/],
  ['BSD-2-Clause', /Redistribution and use/],
];

const licenceIn = text => WORDS.find(([, words]) => words.test(text))?.[0];

/** A UUID that only the text decides: version 8 of RFC 9562. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
