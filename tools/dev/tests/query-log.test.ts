import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createLog } from '@pergola/core';
import { openDatabase } from '@pergola/db';
import { createTestDatabase, eachDatabase } from 'pergola/testing';
import { QueryLog } from '../query-log.ts';

eachDatabase('The query log', (dialect) => {
  it('tells which queries a request ran, with their values, and where one of them is repeated', async () => {
    const testDatabase = await createTestDatabase(dialect);
    const database = await openDatabase({ url: testDatabase.url, log: createLog('silent') });
    const lines: string[] = [];
    const log = {
      info: (line: unknown) => void lines.push(String(line)),
      warn: (details: unknown, line: unknown) => void lines.push(`${line} ${JSON.stringify(details)}`),
    };
    const queries = new QueryLog(log as never);
    const ask = async (value: number): Promise<void> => {
      const query = database.knex.raw('select ? as answer', [value]).toSQL().toNative();
      await database.reader.query(query);
    };
    const follow = async (url: string, work: () => Promise<void>): Promise<void> => {
      const res = new EventEmitter() as ServerResponse;
      res.statusCode = 200;
      const finished = Promise.withResolvers<void>();
      queries.follow({ method: 'GET', url } as IncomingMessage, res, () => void work().then(finished.resolve));
      await finished.promise;
      res.emit('close');
    };
    try {
      await Promise.all([
        follow('/many', async () => {
          for (let value = 0; value < 10; value++) await ask(value);
        }),
        follow('/one', () =>
          database.write((transaction) => transaction.query({ sql: 'select 7', bindings: [] }).then(() => {})),
        ),
        follow('/none', async () => {}),
      ]);
      expect(lines.filter((line) => line.includes('/none'))).toEqual([]);
      expect(lines.find((line) => line.startsWith('1 query'))).toMatch(/ms: GET \/one$/);
      expect(lines.find((line) => line.startsWith('10 queries'))).toMatch(/ms: GET \/many$/);
      const warning = lines.find((line) => line.includes('10 times for GET /many: select'));
      expect(warning).toContain('tools/dev/tests/query-log.test.ts:');
      expect(queries.text()).toMatch(
        /GET \/many 200 in \d+ ms: 10 queries, [\d.]+ ms together[\s\S]* ms {2}select .* as answer \[9\] {2}tools\/dev\/tests/,
      );
    } finally {
      queries.close();
      await database.close();
      await testDatabase.drop();
    }
  });
});
