import { randomBytes } from 'node:crypto';
import { type Ctx, type Id, NotFound } from 'pergola';
import { type AddonCommand, UsageError } from 'pergola/kernel';
import { Group } from '../models/group.ts';
import { Partner } from '../models/partner.ts';
import { plainLogin, User } from '../models/user.ts';
import { checkPassword, Passwords, siteNames } from '../passwords.ts';

type Call = Parameters<AddonCommand['run']>[0];

/** `pergola user …`: manages accounts from the command line, so users can't be locked out permanently. */
export const userCommand: AddonCommand = {
  name: 'user',
  summary: 'Accounts: list, add, password, disable, enable',
  usage:
    'list [--json] | add <login> [--name <name>] [--email <address>] [--group <group>]… [--generate] | password <login> [--generate] | disable <login> | enable <login>',
  options: {
    json: { type: 'boolean' },
    name: { type: 'string' },
    email: { type: 'string' },
    group: { type: 'string', multiple: true },
    generate: { type: 'boolean' },
  },
  run: async (call) => {
    const [action = '', login = ''] = call.words;
    if (action === 'list') return list(call);
    if (login === '') throw new UsageError('Say what to do, and with which login.');
    if (action === 'add') return add(call, login);
    if (action === 'password') return changePassword(call, login);
    if (action === 'disable' || action === 'enable') return setActive(call, login, action === 'enable');
    throw new UsageError(`"${action}" is none of list, add, password, disable, enable.`);
  },
};

async function list({ read, io, options }: Call): Promise<number> {
  const users = await read((ctx) =>
    ctx.model(User).find(['|', ['active', '=', true], ['active', '=', false]], {
      select: { login: true, name: true, email: true, active: true, login_date: true, group_ids: { code: true } },
    }),
  );
  if (options.json) {
    const plain = users.map(({ group_ids, ...user }) => ({ ...user, groups: group_ids.map(({ code }) => code) }));
    io.out(JSON.stringify(plain, null, 2));
    return 0;
  }
  for (const { login, name, active, group_ids } of users) {
    const groups = group_ids.map(({ code }) => code).join(', ');
    io.out(`${login.padEnd(28)} ${active ? '        ' : 'disabled'} ${(name ?? '').padEnd(24)} ${groups}`);
  }
  return 0;
}

async function add({ read, write, io, options }: Call, login: string): Promise<number> {
  const groups = Array.isArray(options.group) ? options.group.map(String) : ['base.group_user'];
  const name = typeof options.name === 'string' ? options.name : login;
  const email = typeof options.email === 'string' ? options.email : login.includes('@') ? login : null;
  const secret = await newPassword({ read, io, options }, [login, email, name]);
  await write(async (ctx) => {
    await ctx.model(User).create({
      login,
      partner_id: await ctx.model(Partner).create({ name, email }),
      group_ids: await groupIds(ctx, groups),
      password_hash: secret.hash,
      email_verified: email !== null,
    });
  });
  io.out(`The account "${plainLogin(login)}" was created.`);
  tell(io, secret);
  return 0;
}

async function changePassword({ read, write, io, options }: Call, login: string): Promise<number> {
  const owner = await read(async (ctx) =>
    ctx.model(User).get(await idOf(ctx, login), { select: { name: true, email: true } }),
  );
  const secret = await newPassword({ read, io, options }, [login, owner.name, owner.email]);
  const tokens = await write(async (ctx) => {
    const id = await idOf(ctx, login);
    await ctx.model(User).setPasswordHash([id], secret.hash);
    return ctx.model(User).accessTokens(id);
  });
  io.out(`The password of "${plainLogin(login)}" is changed. All sessions opened with the old one are signed out.`);
  if (tokens.length > 0) {
    const names = tokens.map(({ name }) => `“${name}”`).join(', ');
    io.out(
      `${tokens.length} access ${tokens.length === 1 ? 'token' : 'tokens'} remain valid: ${names}. Revoke them under Access tokens.`,
    );
  }
  tell(io, secret);
  return 0;
}

async function setActive({ write, io }: Call, login: string, active: boolean): Promise<number> {
  await write(async (ctx) => ctx.model(User).write(await idOf(ctx, login), { active }));
  io.out(`The account "${plainLogin(login)}" is ${active ? 'enabled' : 'disabled'}.`);
  return 0;
}

interface Secret {
  readonly hash: string;
  /** Generated password, to be displayed once; null if it was entered. */
  readonly made: string | null;
}

/** Never accepts passwords as arguments, which are visible to all users of the machine. */
async function newPassword(
  { read, io, options }: Pick<Call, 'read' | 'io' | 'options'>,
  forbiddenWords: readonly (string | null)[],
): Promise<Secret> {
  const generated = options.generate ? randomBytes(12).toString('base64url') : null;
  const password = generated ?? (await io.secret('New password: '));
  if (!password) throw new UsageError('No password was given. Type or pipe one in, or say --generate.');
  return {
    hash: await read(async (ctx) => {
      checkPassword(password, [...forbiddenWords, ...(await siteNames(ctx))]);
      return ctx.get(Passwords).hash(password);
    }),
    made: generated,
  };
}

function tell(io: Call['io'], { made: generated }: Secret): void {
  if (generated !== null) io.out(`The password is "${generated}". It is shown this once.`);
}

async function idOf(ctx: Ctx, login: string): Promise<Id> {
  const [id] = await ctx.model(User).search([
    ['login', '=', plainLogin(login)],
    ['active', 'in', [true, false]],
  ]);
  if (id === undefined) {
    throw new NotFound('There is no account “{login}”.', { code: 'base.no_account', params: { login } });
  }
  return id;
}

async function groupIds(ctx: Ctx, codes: readonly string[]): Promise<Id[]> {
  const rows = await ctx.model(Group).find([['code', 'in', codes]], { select: { code: true } });
  const unknown = codes.filter((code) => !rows.some((row) => row.code === code));
  if (unknown.length > 0) throw new UsageError(`There is no group ${unknown.join(', ')}.`);
  return rows.map(({ id }) => id);
}
