import type { JsonObject, JsonValue } from '../../../base/json';
import { printed } from '../../../base/printed';
import { record, records, text } from '../../../kube/goFields';
import { isMap } from '../go/goValues';
import { jmespath } from '../jmespath/jmespath';
import { budgetOf, STEPS_OF_ONE_RULE } from '../results/failures';

/** A suite's mocks of cluster requests. Upstream: apiCallResponses, globalContextEntries. */
export interface SuiteMocks {
  apiCall(path: string): JsonValue | undefined;
  globalEntry(name: string): JsonValue | undefined;
  /** The response as expressions see it: `body` and `statusCode`. */
  httpCall(method: string, url: string): JsonValue | undefined;
}

export function suiteMocks(suite: JsonObject, objectsAt: (path: string) => readonly JsonObject[]): SuiteMocks {
  return {
    apiCall: path => {
      const found = records(suite, 'apiCallResponses').find(it =>
        [text(it, 'urlPath'), text(it, 'url')].includes(path),
      );
      return record(found, 'response')?.body;
    },
    httpCall: (method, url) => {
      const found = records(suite, 'apiCallResponses').find(
        it =>
          [text(it, 'urlPath'), text(it, 'url')].includes(url) &&
          [method, ''].includes(text(it, 'method').trim().toUpperCase()),
      );
      const response = record(found, 'response');
      return response && { body: response.body ?? null, statusCode: response.statusCode || 200 };
    },
    globalEntry: name => {
      const found = records(suite, 'globalContextEntries').find(it => text(it, 'name') === name);
      if (found === undefined) return undefined;
      if (found.data !== undefined) return projected(found.data, records(found, 'projections'));
      const files = Array.isArray(found.resourceFiles) ? found.resourceFiles.flatMap(it => objectsAt(printed(it))) : [];
      return [...records(found, 'resources'), ...files];
    },
  };
}

/** The data, with projections under their own names. */
function projected(data: JsonValue, projections: readonly JsonObject[]): JsonValue {
  const query = jmespath();
  const parts = projections.map(it => [
    text(it, 'name'),
    query.search(text(it, 'path'), data, budgetOf(STEPS_OF_ONE_RULE)),
  ]);
  return isMap(data) ? { ...data, ...Object.fromEntries(parts) } : data;
}
