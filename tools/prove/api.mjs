// Requests to the API server of a proof, by object instead of by path.

/**
 * @param {import('../../test/live-cluster/controlPlane.mjs').ControlPlane} cluster
 */
export async function apiOf({ call }) {
  const resources = await discovered(call);
  const collection = (resource, namespace) =>
    `${resource.base}${resource.namespaced ? `/namespaces/${encodeURIComponent(namespace)}` : ''}/${resource.name}`;
  const resourceOf = ({ apiVersion, kind }) => resources.get(`${apiVersion}/${kind}`);
  const pathOf = object => collection(resourceOf(object), object.metadata?.namespace ?? 'default');
  return {
    /** The resource of an object's kind; undefined when the server serves none. */
    resourceOf,
    /** The server's answer to a create of an object, with a query. */
    create: (object, query = '') => call('POST', `${pathOf(object)}${query}`, object),
    /** Creates an object that must be accepted. */
    async established(object) {
      const { status, text } = await call('POST', pathOf(object), object);
      if (status !== 201 && status !== 409) throw new Error(`${object.kind} ${object.metadata.name}: ${text}`);
    },
    async list(apiVersion, kind, query = '') {
      const { base, name } = resourceOf({ apiVersion, kind });
      const { status, text, body } = await call('GET', `${base}/${name}${query}`);
      if (status !== 200) throw new Error(`The list of ${kind} was answered with ${status}: ${text}`);
      return body.items.map(it => ({ apiVersion, kind, ...it }));
    },
    writeStatus: object => call('PUT', `${pathOf(object)}/${encodeURIComponent(object.metadata.name)}/status`, object),
    remove: object =>
      call('DELETE', `${pathOf(object)}/${encodeURIComponent(object.metadata.name)}`, {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        gracePeriodSeconds: 0,
        propagationPolicy: 'Background',
      }),
  };
}

async function discovered(call) {
  const groups = (await call('GET', '/apis')).body.groups.flatMap(({ versions }) =>
    versions.map(it => it.groupVersion),
  );
  const lists = [['v1', '/api/v1'], ...groups.map(groupVersion => [groupVersion, `/apis/${groupVersion}`])];
  const found = new Map();
  for (const [groupVersion, base] of lists)
    for (const { name, kind, namespaced } of (await call('GET', base)).body.resources ?? [])
      if (!name.includes('/')) found.set(`${groupVersion}/${kind}`, { base, name, namespaced });
  return found;
}
