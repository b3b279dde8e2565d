import { createInterface } from 'node:readline';
import { openDatabase } from '../open.ts';
import type { DatabaseLog } from '../types.ts';

/**
 * Another node of the same site, for tests: `node other-process.ts <url>`. Each line it reads is SQL to write (touching the table `seat`);
 * it answers with the moment at which that was committed. `hold <ms>` keeps a write open for so long.
 */
const quiet = () => {};
const log: DatabaseLog = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const database = await openDatabase({ url: process.argv[2] ?? '', log });
console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const [, milliseconds] = /^hold (\d+)$/.exec(line) ?? [];
  await database.write(
    async (transaction) => {
      if (milliseconds) {
        // The row is written, so that the lock is really held, and only then the caller is told.
        await transaction.query({ sql: 'update seat set taken = taken + 1', bindings: [] });
        console.log('holding');
        await new Promise((resolve) => setTimeout(resolve, Number(milliseconds)));
      } else {
        await transaction.query({ sql: line, bindings: [] });
        transaction.touch('seat');
      }
    },
    { deadlineMs: 20_000 },
  );
  console.log(String(Date.now()));
}
await database.close();
