// Asks Berth about random manifests, then a real API server by dry run, and compares.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { root } from '../run.mjs';
import { isSameAnswer, judgementOf, realJudgement } from './verdicts.mjs';

/**
 * Random changes of accepted objects, one or two each, of every served kind in turn.
 * @param {object} tools `test/conformance/mutate` and `kube/load`
 * @param {(object: object) => unknown} resourceOf undefined for kinds that the server does not serve
 */
export function manifestsOf(count, seed, tools, resourceOf) {
  const { changed, mutation, placesOf, poolOf, randomFrom, loadKube } = tools;
  const kube = loadKube('1.37', {}, name => readFileSync(join(root, 'server/data/kubernetes', name)));
  const bases = acceptedObjects().filter(it => kube.kindOf(it.apiVersion, it.kind) && resourceOf(it));
  const pool = poolOf(bases, kube);
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, index) => {
    const base = bases[index % bases.length];
    const places = placesOf(base, kube.kindOf(base.apiVersion, base.kind).schema);
    if (random() < 0.1) return misspelt(base, places, random);
    const changes = Array.from({ length: random() < 0.3 ? 2 : 1 }, () => mutation(places, random, pool));
    return changed(base, changes);
  });
}

/** One object of each kind, and of some kinds several, that the server accepts. */
function acceptedObjects() {
  const folder = join(root, 'test/conformance/validation/bases');
  const files = readdirSync(folder).sort();
  return [
    ...files.map(it => parse(readFileSync(join(folder, it), 'utf8'))),
    ...parseAllDocuments(readFileSync(join(root, 'test/fuzz/kinds.yaml'), 'utf8')).flatMap(it => it.toJS() ?? []),
  ];
}

/** One field's name with its first two letters swapped, or with another letter when they are the same. */
function misspelt(object, places, random) {
  const named = places.filter(({ at }) => at.length > 1 && !/^\d+$/.test(at.at(-1)));
  const { at } = named[Math.floor(random() * named.length)] ?? { at: ['metadata'] };
  const name = at.at(-1);
  const wrong = name[0] === name[1] ? `x${name}` : `${name[1]}${name[0]}${name.slice(2)}`;
  const copy = structuredClone(object);
  const holder = at.slice(0, -1).reduce((value, key) => value[key], copy);
  holder[wrong] = holder[name];
  delete holder[name];
  return copy;
}

/** What `berth check` says of each manifest, in one run. */
export function predictedAnswers(manifests, folder) {
  const files = join(folder, 'manifests');
  mkdirSync(files);
  const names = manifests.map((it, index) => {
    const name = `${String(index).padStart(4, '0')}.json`;
    writeFileSync(join(files, name), JSON.stringify(it));
    return name;
  });
  const { stdout } = spawnSync(process.execPath, [join(root, 'dist/cli.js'), 'check', '.', '--format', 'json'], {
    cwd: files,
    maxBuffer: 2 ** 28,
    encoding: 'utf8',
  });
  const { problems } = JSON.parse(stdout);
  return names.map(name => judgementOf(problems.filter(it => it.path === name)));
}

/** What the API server says of one manifest, beside the prediction. */
export async function answerOf(api, manifest, predicted) {
  const asked = { kind: manifest.kind, name: manifest.metadata?.name, predicted };
  if (api.resourceOf(manifest) === undefined)
    return { ...asked, verdict: 'notCompared', why: 'the server does not serve it' };
  const answer = await api.create(manifest, '?dryRun=All&fieldValidation=Strict').catch(it => it);
  // The server's own code panics now and then: it ends the connection without an answer.
  if (answer instanceof Error) return { ...asked, verdict: 'notCompared', why: `no answer: ${answer.message}` };
  const { status, body, warnings } = answer;
  if (status === 409) return { ...asked, verdict: 'notCompared', why: 'an object of this name exists' };
  if (status === 403) return { ...asked, verdict: 'notCompared', why: `admission: ${body.message}` };
  const real = realJudgement(status, body, warnings);
  if (real === undefined) return { ...asked, verdict: 'notCompared', why: `${status}: ${body?.message}` };
  return { ...asked, real, verdict: isSameAnswer(predicted, real) ? 'equal' : 'different' };
}
