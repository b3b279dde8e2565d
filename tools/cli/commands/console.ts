import { type Command, createLog } from '@pergola/core';
import { copyDatabase } from '@pergola/db';
import { atTerminal, fromPipe } from '../../console/prompt.ts';
import { committing, rollingBack } from '../../console/session.ts';
import { existingSite } from '../existing-site.ts';
import { requireServing, withApplicationOf } from '../with-application.ts';

export const command: Command = {
  summary: 'Runs JavaScript statements with an administrator’s ctx, on a copy of the database unless --live is given',
  usage: '[--live] [--user <login>]',
  options: { live: { type: 'boolean' }, user: { type: 'string' } },
  async run({ options, io }) {
    const config = await existingSite();
    const isLive = options.live === true;
    const isFile = config.databaseUrl.startsWith('sqlite:');
    const login = typeof options.user === 'string' ? options.user : 'admin';
    const copy = isFile && !isLive ? await copyDatabase({ url: config.databaseUrl, log: createLog('warn') }) : null;
    try {
      return await withApplicationOf(
        { ...config, databaseUrl: copy?.url ?? config.databaseUrl },
        async (application) => {
          requireServing(application);
          const session = isFile || isLive ? committing(application, login) : await rollingBack(application, login);
          io.err(greeting(isLive, isFile, login));
          try {
            return process.stdin.isTTY ? await atTerminal(session) : await fromPipe(session, process.stdin, io);
          } finally {
            await session.end();
          }
        },
      );
    } finally {
      await copy?.remove();
    }
  },
};

function greeting(isLive: boolean, isFile: boolean, login: string): string {
  const effect = isLive
    ? 'LIVE: each statement is saved in the site’s database.'
    : isFile
      ? 'On a copy of the database, which is deleted at the end.'
      : 'In one transaction, which is rolled back at the end. Rows you change stay locked until then.';
  return `${effect} ctx acts for ${login}; ctx.sudo() lifts the rights. Example: await ctx.model('res.partner').count([])`;
}
