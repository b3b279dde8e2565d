import { User } from '@pergola/base';
import { NotFound } from 'pergola';
import { type AddonCommand, UsageError } from 'pergola/kernel';
import { KeyUser } from '../models/res-users.ts';

/** `pergola keys …`: restores access for users who lost their second factor and recovery codes, if no administrator can sign in. */
export const keysCommand: AddonCommand = {
  name: 'keys',
  summary: 'Keys of accounts: take a lost second step away',
  usage: 'reset <login>',
  options: {},
  run: async ({ words, write, io }) => {
    const [action, login = ''] = words;
    if (action !== 'reset' || login === '')
      throw new UsageError('Say whose second step is to be taken away: reset <login>.');
    await write(async (ctx) => {
      const user = await ctx.model(User).byLogin(login);
      if (!user) throw new NotFound('There is no account “{login}”.', { code: 'base.no_account', params: { login } });
      await ctx.model(KeyUser).removeSecondStep([user.id]);
    });
    io.out(
      `"${login}" signs in with the password alone, unless a group asks for a second step: then a new one is set up first.`,
    );
    return 0;
  },
};
