import type { CancellationToken, Connection } from 'vscode-languageserver/node';
import { toRange } from './convert';
import { type RunTestsAnswer, type RunTestsParams, runTestsRequest, type TestsAnswer, testsRequest } from './protocol';
import type { RequestContext } from './requestContext';

/** Serves the list and the runs of placement tests for a test explorer. */
export function serveTests(
  connection: Connection,
  { analysis, canonicalUri, linesOf, placementWork: { finish, startTime } }: RequestContext,
): void {
  connection.onRequest(
    testsRequest,
    (): TestsAnswer =>
      analysis()
        .placementTests()
        .map(({ uri, tests }) => ({
          uri,
          tests: tests.map(({ name, start, end }) => ({ name, range: toRange({ start, end }, linesOf(uri)) })),
        })),
  );

  const run = async ({ textDocument, only }: RunTestsParams, token: CancellationToken): Promise<RunTestsAnswer> => {
    const uri = canonicalUri(textDocument.uri);
    const isLate = startTime();
    const time = { finish, isOver: () => token.isCancellationRequested || isLate() };
    const { results, problem, toAccept } = await analysis().runPlacementTests(uri, time, only);
    const lines = linesOf(uri);
    return {
      results: results.map(({ test, failures, notes }) => ({
        name: test.name,
        failures: failures.map(({ expected, message }) => ({
          expectation: expected.expectation.kind,
          message,
          range: toRange(expected.span, lines),
        })),
        notes,
      })),
      ...(problem !== undefined && { problem }),
      ...(toAccept && { toAccept }),
    };
  };
  connection.onRequest(runTestsRequest, run);
}
