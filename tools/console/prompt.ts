import { createInterface } from 'node:readline';
import { Recoverable, start } from 'node:repl';
import { inspect } from 'node:util';
import type { CommandIo } from '@pergola/core';
import { explainHint, fullMessage, ownStack, PergolaError } from '@pergola/core';
import { usesColors } from '../cli/colors.ts';
import { evaluate, Incomplete } from './evaluate.ts';
import type { ConsoleSession } from './session.ts';

/** Runs the interactive console until the user exits. */
export async function atTerminal(session: ConsoleSession): Promise<number> {
  const hasColors = usesColors(process.stdout);
  const server = start({
    prompt: 'pergola> ',
    input: process.stdin,
    output: process.stdout,
    preview: false,
    useGlobal: true,
    useColors: hasColors,
    writer: (value) => inspect(withoutSymbols(value), { depth: 4, colors: hasColors }),
    eval: (code, _context, _file, done) => {
      run(session, code).then(
        (result) => done(null, result),
        (error: unknown) => {
          if (error instanceof Incomplete) return done(new Recoverable(error), undefined);
          if (!(error instanceof PergolaError)) return done(asError(error), undefined);
          process.stdout.write(`${explained(error)}\n`);
          done(null, undefined);
        },
      );
    },
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.once('exit', resolve);
  await promise;
  return 0;
}

/**
 * Runs piped statements one by one and prints their results; stops at the first failure.
 *
 * @returns the exit code: 1 if a statement failed or is incomplete
 */
export async function fromPipe(session: ConsoleSession, input: NodeJS.ReadableStream, io: CommandIo): Promise<number> {
  let code = '';
  for await (const line of createInterface({ input })) {
    code += `${line}\n`;
    try {
      const result = await run(session, code);
      if (result !== undefined) io.out(inspect(withoutSymbols(result), { depth: 4 }));
      code = '';
    } catch (error) {
      if (error instanceof Incomplete) continue;
      io.err(explained(error));
      return 1;
    }
  }
  if (code === '') return 0;
  io.err(`The input ends in the middle of a statement: ${code.trim()}`);
  return 1;
}

/** Runs statements with `ctx` set to a context of the session. */
async function run(session: ConsoleSession, code: string): Promise<unknown> {
  if (code.trim() === '') return undefined;
  return session.run((ctx) => {
    Object.assign(globalThis, { ctx });
    return evaluate(code);
  });
}

function asError(error: unknown): Error {
  return Error.isError(error) ? error : new Error(inspect(error));
}

/** The message of a PergolaError, or the stack of any other error. */
function explained(error: unknown): string {
  if (error instanceof PergolaError) return `${fullMessage(error)}\n${explainHint(error.code)}`;
  return ownStack(asError(error).stack ?? String(error));
}

/** Copies rows and lists without their symbol properties, which would clutter the output. */
function withoutSymbols(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSymbols);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutSymbols(member)]));
}
