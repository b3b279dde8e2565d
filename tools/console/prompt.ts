import { createInterface } from 'node:readline';
import { REPLServer, Recoverable } from 'node:repl';
import { PassThrough } from 'node:stream';
import { inspect } from 'node:util';
import type { CommandIo } from '../../core/app/commands.ts';
import type { ConsoleSession } from './session.ts';

type Evaluate = (code: string) => Promise<unknown>;

/** Reads statements at a terminal until it is left. */
export async function atTerminal(session: ConsoleSession): Promise<number> {
  const server = new REPLServer({
    prompt: 'pergola> ',
    input: process.stdin,
    output: process.stdout,
    preview: false,
    writer: (value) => inspect(withoutSymbols(value), { depth: 4, colors: true }),
  });
  const evaluate = evaluatorOf(server, session);
  server.eval = (code, _context, _file, done) => {
    evaluate(code).then(
      (result) => done(null, result),
      (error: unknown) => done(Error.isError(error) ? error : new Error(String(error)), undefined),
    );
  };
  const { promise, resolve } = Promise.withResolvers<void>();
  server.once('exit', resolve);
  await promise;
  return 0;
}

/**
 * Runs what is piped in, statement by statement, and writes what each gives; it stops at the first that fails.
 *
 * @returns the exit code: 1 if a statement failed or is incomplete
 */
export async function fromPipe(session: ConsoleSession, input: NodeJS.ReadableStream, io: CommandIo): Promise<number> {
  const server = new REPLServer({ prompt: '', input: new PassThrough(), output: new PassThrough(), terminal: false });
  const evaluate = evaluatorOf(server, session);
  let code = '';
  try {
    for await (const line of createInterface({ input })) {
      code += `${line}\n`;
      if (code.trim() === '') continue;
      try {
        const result = await evaluate(code);
        if (result !== undefined) io.out(inspect(withoutSymbols(result), { depth: 4 }));
        code = '';
      } catch (error) {
        if (!(error instanceof Recoverable)) throw error;
      }
    }
    if (code.trim() !== '') throw new SyntaxError(`The input ends within a statement: ${code.trim()}`);
    return 0;
  } catch (error) {
    io.err(Error.isError(error) ? (error.stack ?? error.message) : String(error));
    return 1;
  } finally {
    server.close();
  }
}

/** Evaluates as Node's own prompt does, with `await` at the top level, and `ctx` set for the statement. */
function evaluatorOf(server: REPLServer, session: ConsoleSession): Evaluate {
  const { eval: evaluate } = server;
  return (code) =>
    session.run(async (ctx) => {
      server.context.ctx = ctx;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      evaluate.call(server, code, server.context, 'console', (error, result: unknown) =>
        error ? reject(error) : resolve(result),
      );
      return promise;
    });
}

/** A copy of rows and lists without what is kept under symbols, which would hide the values. */
function withoutSymbols(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSymbols);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutSymbols(member)]));
}
