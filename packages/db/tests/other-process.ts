import { createInterface } from 'node:readline';
import { openDatabase } from '../open.ts';
import type { DatabaseLog } from '../types.ts';

/**
 * Another node of the same site, for tests: `node other-process.ts <url>`. Each line it reads is SQL to write (touching the table `seat`);
 * it answers once that was committed. `hold` keeps a write open until the next line.
 */
const quiet = () => {};
const log: DatabaseLog = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const database = await openDatabase({ url: process.argv[2] ?? '', log });
console.log('ready');
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
for (let line = await lines.next(); !line.done; line = await lines.next()) {
  const { value } = line;
  await database.write(
    async (transaction) => {
      if (value === 'hold') {
        // The row is written, so that the lock is really held, and only then the caller is told.
        await transaction.query({ sql: 'update seat set taken = taken + 1', bindings: [] });
        console.log('holding');
        await lines.next();
      } else {
        await transaction.query({ sql: value, bindings: [] });
        transaction.touch('seat');
      }
    },
    { deadlineMs: 600_000 },
  );
  console.log('committed');
}
await database.close();
