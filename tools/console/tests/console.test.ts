import { Readable } from 'node:stream';
import { createTestApp, eachDatabase } from 'pergola/testing';
import { evaluate, Incomplete } from '../evaluate.ts';
import { fromPipe } from '../prompt.ts';
import { type ConsoleSession, committing, rollingBack } from '../session.ts';

describe('A statement', () => {
  it.each([
    ['await Promise.resolve(1) + 1', 2],
    ['const seven = 7; seven;', 7],
    ['const { a, b: [c] } = { a: "é", b: ["ü"] }; a + c', 'éü'],
    ['function twice(n) { return 2 * n }\ntwice(4)', 8],
    ['class Box { size = 3 }; new Box().size', 3],
    ['(await import("node:path")).sep', '/'],
    ['if (1) { 2 }', undefined],
    ['// nothing', undefined],
  ])('%s gives %j', async (code, value) => {
    expect(await evaluate(code)).toBe(value);
  });

  it('leaves its names to the next ones, which may declare them again', async () => {
    await evaluate('const kept = 1');
    expect(await evaluate('kept + 1')).toBe(2);
    expect(await evaluate('let kept = 5; kept')).toBe(5);
  });

  it.each(['f(', '[1,', 'for (;;) {', '`a', 'const a =', '/* a'])('%j is incomplete', async (code) => {
    await expect(evaluate(code)).rejects.toThrow(Incomplete);
  });

  it.each(['a +* 2', 'const 1 = 2', ')'])('%j is refused', async (code) => {
    await expect(evaluate(code)).rejects.toThrow(SyntaxError);
  });
});

eachDatabase('The console', (database) => {
  /** Pipes lines to a session and returns the output and the exit code. */
  const pipe = async (session: ConsoleSession, ...lines: string[]) => {
    const out: string[] = [];
    const err: string[] = [];
    const io = { out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
    const code = await fromPipe(session, Readable.from(`${lines.join('\n')}\n`), {
      ...io,
      confirm: async () => false,
      secret: async () => null,
    });
    return { out, err: err.join('\n'), code };
  };
  const create = "const id = await ctx.model('res.partner').create({ name: 'Ada' })";
  const read = "await ctx.model('res.partner').find([['name', '=', 'Ada']], { select: { name: true } })";

  it('saves each statement of a session that commits, and undoes one that fails', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const session = committing(app.application, 'admin');
    expect(await pipe(session, create, '(', '  ctx.user.login', ')', '', 'typeof id')).toEqual({
      out: ["'admin'", "'number'"],
      err: '',
      code: 0,
    });
    const kept = await pipe(session, "const partners = ctx.model('res.partner')", 'await partners.count([])');
    expect(kept.err).toContain('Start again from ctx');
    const failed = await pipe(session, `${create}; await ctx.model('res.partner').create({ nam: 'x' })`, '1');
    expect(failed).toMatchObject({ out: [], code: 1 });
    expect(failed.err).toContain('nam');
    expect(await app.read((ctx) => ctx.modelNamed('res.partner').count([['name', '=', 'Ada']]))).toBe(1);
    expect((await pipe(session, '[1,')).err).toContain('ends in the middle of a statement');
  });

  it('undoes everything in the end of a session that rolls back, and goes on after a statement that fails', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const session = await rollingBack(app.application, 'admin');
    await pipe(session, create);
    expect((await pipe(session, "await ctx.sudo().db('no_such_table').select('id')")).code).toBe(1);
    expect((await pipe(session, read)).out.join('')).toContain("name: 'Ada'");
    await session.end();
    expect(await app.read((ctx) => ctx.modelNamed('res.partner').count([['name', '=', 'Ada']]))).toBe(0);
  });

  it('refuses a user that does not exist', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await expect(rollingBack(app.application, 'nobody')).rejects.toThrow('--user');
  });
});
