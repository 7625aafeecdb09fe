import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WANTED_KINDS } from '../../server/src/cluster/sources/kinds';
import { acceptOf } from '../../server/src/live/list';
import { type ControlPlane, send } from './controlPlane.mjs';

const fixture = join(import.meta.dirname, '../fixtures/cluster/recorded.json');
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

/** Writes down what the server answers to the requests of a session, for tests that run without one. */
export async function record({ server, certificate, token }: ControlPlane): Promise<void> {
  const ca = readFileSync(certificate);
  const ask = async (path: string, accept: string, user = token) => {
    const { status, text } = await send({ server, ca, token: user }, 'GET', path, undefined, accept);
    return { path, accept, status, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text };
  };
  const answers = [
    await ask('/api', AGGREGATED),
    await ask('/apis', AGGREGATED),
    await ask('/version', 'application/json'),
  ];
  for (const kind of WANTED_KINDS) {
    const root = kind.group === '' ? '/api/v1' : `/apis/${kind.group}/v1`;
    const accept = acceptOf({ ...kind, apiVersion: 'v1' }, 'PartialObjectMetadataList');
    const answer = await ask(`${root}/${kind.resource}`, accept);
    if (answer.status === 200) answers.push(answer);
  }
  const forbidden = await ask('/api/v1/nodes', 'application/json', `viewer-${token}`);
  // One answer a line, so that a change of one is seen as such.
  const lines = answers.map(it => JSON.stringify(it)).join(',\n');
  writeFileSync(fixture, `{ "answers": [\n${lines}\n], "forbidden": ${JSON.stringify(forbidden)} }\n`);
}
