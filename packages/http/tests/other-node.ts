import { createInterface } from 'node:readline';
import { createLog } from '../../../core/base/log.ts';
import { openDatabase } from '../../db/index.ts';
import { SESSION_TABLE } from '../sessions/session-rows.ts';
import { DatabaseSessions } from '../sessions/sessions.ts';

/**
 * Another node of the same site, for tests: `node other-node.ts <url> <secret>`. `load <id>` answers whether it is a session here; `sign-in <user>`
 * answers a new one's id; `end <user>` answers once a user's sessions have ended.
 */
const [url = '', secret = ''] = process.argv.slice(2);
const log = createLog('silent');
const database = await openDatabase({ url, log, patience: 20 });
const sessions = new DatabaseSessions({ database, log, secret, secure: false });

async function answer(command: string, argument: string): Promise<string> {
  if (command === 'load') return String((await sessions.load({ session_id: argument })).exists);
  if (command === 'sign-in') {
    const draft = (await sessions.load({})).draft();
    draft.signIn(Number(argument));
    const [cookie = ''] = await draft.commit({ ip: '', userAgent: '' });
    return /=([^;]*)/.exec(cookie)?.[1] ?? '';
  }
  await database.write(async (transaction) => {
    await transaction.query(
      database.knex(SESSION_TABLE).where('user_id', Number(argument)).delete().toSQL().toNative(),
    );
    transaction.touch(SESSION_TABLE);
  });
  return 'ended';
}

console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const [command = '', argument = ''] = line.split(' ');
  console.log(await answer(command, argument));
}
await sessions.close();
await database.close();
