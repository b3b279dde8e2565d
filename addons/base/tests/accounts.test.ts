import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { userCommand } from '../cli/user.ts';
import { refuseDemoPasswords } from '../demo-passwords.ts';
import { User } from '../models/user.ts';
import { Passwords } from '../passwords.ts';

/** Runs `pergola user …` on the application. */
async function command(
  app: TestApp,
  words: string[],
  options: Record<string, string | boolean | string[]> = {},
  typed: string | null = null,
) {
  const out: string[] = [];
  const io = {
    out: (line: string) => void out.push(line),
    err: () => {},
    confirm: async () => false,
    secret: async () => typed,
  };
  const { read, write } = app;
  return { code: await userCommand.run({ words, options, io, read, write }), out };
}

const inProduction = (app: TestApp) =>
  app.read((ctx) => {
    const config = { ...ctx.config, production: true };
    return refuseDemoPasswords(Object.create(ctx, { config: { value: config } }));
  });

someDatabase('Accounts on the command line', (database) => {
  it('are added with the password that is typed, and listed', async () => {
    await using app = await createTestApp({ addons: ['base'], database });
    const { code } = await command(app, ['add', 'ada@example.com'], { name: 'Ada' }, 'a long password');
    expect(code).toBe(0);
    const { out } = await command(app, ['list']);
    expect(out.join('\n')).toMatch(/ada@example\.com +Ada +base\.group_user/);
    const right = await app.read(async (ctx) => {
      const user = await ctx.model(User).byLogin('ada@example.com');
      return ctx.get(Passwords).verify(user?.password_hash ?? null, 'a long password');
    });
    expect(right).toBe(true);
  });

  it('get a password that is made and shown once', async () => {
    await using app = await createTestApp({ addons: ['base'], database });
    const { out } = await command(app, ['password', 'ADMIN'], { generate: true });
    expect(out.join('\n')).toMatch(/The password is "[\w-]{16}"/);
  });

  it.each([
    [['password', 'nobody'], 'x'.repeat(8), 'base.no_account'],
    [['password', 'admin'], 'short', 'base.bad_password'],
  ])('say what is wrong: %j', async (words, typed, code) => {
    await using app = await createTestApp({ addons: ['base'], database });
    await expect(command(app, words, {}, typed)).rejects.toMatchObject({ code });
  });

  it('are disabled and enabled', async () => {
    await using app = await createTestApp({ addons: ['base'], database, demo: true });
    await command(app, ['disable', 'editor']);
    expect((await command(app, ['list'])).out.find((line) => line.startsWith('editor'))).toContain('disabled');
    await command(app, ['enable', 'editor']);
    expect((await command(app, ['list'])).out.find((line) => line.startsWith('editor'))).not.toContain('disabled');
  });
});

someDatabase('A site in production', (database) => {
  it('is not started while an account has its demo password, and names the account', async () => {
    await using app = await createTestApp({ addons: ['base'], database, demo: true });
    const named = async () => (await inProduction(app)).map(({ message }) => /"(\w+)"/.exec(message)?.[1]);
    expect(await named()).toEqual(['admin', 'editor', 'portal']);
    await command(app, ['password', 'admin'], { generate: true });
    await command(app, ['disable', 'editor']);
    expect(await named()).toEqual(['portal']);
    await command(app, ['disable', 'portal']);
    expect(await named()).toEqual([]);
    expect(await app.read(refuseDemoPasswords)).toEqual([]);
  });

  it('has no demo passwords when it was made without demo data', async () => {
    await using app = await createTestApp({ addons: ['base'], database });
    expect(await inProduction(app)).toEqual([]);
    await app.application.checkStart();
  });
});
