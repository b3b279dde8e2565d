import type { Application, Ctx } from '@pergola/core';
import { InvalidInput } from '@pergola/core';
import { DatabaseMisuse } from '@pergola/db';
import { identityOf } from '@pergola/http';

/** Runs console statements, each with a context of the session's user. */
export interface ConsoleSession {
  run<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** Ends the session, rolling back its changes unless they were committed. */
  end(): Promise<void>;
}

/** A session that commits each statement in its own transaction. */
export function committing(application: Application, login: string): ConsoleSession {
  return {
    async run(work) {
      try {
        return await application.asSystem('write', async (system) => work(await contextOf(system, login)), {
          timeoutMs: 0,
        });
      } catch (error) {
        if (!(error instanceof DatabaseMisuse)) throw error;
        throw new InvalidInput(
          'Each statement is saved by itself, so models kept from an earlier one can’t be used any more. Start again from ctx, such as: await ctx.model("res.partner").count([])',
          { cause: error },
        );
      }
    },
    end: async () => {},
  };
}

/** Thrown to roll back a transaction on purpose. */
class Undone extends Error {}

/** A session in one transaction that is rolled back at the end; a failed statement is undone separately. */
export async function rollingBack(application: Application, login: string): Promise<ConsoleSession> {
  const opened = Promise.withResolvers<Ctx>();
  const ending = Promise.withResolvers<void>();
  const transaction = application.asSystem(
    'write',
    async (system) => {
      opened.resolve(await contextOf(system, login));
      await ending.promise;
      throw new Undone('The console discards its changes.');
    },
    { timeoutMs: 0, retries: 0 },
  );
  transaction.catch(opened.reject);
  const ctx = await opened.promise;
  return {
    run: (work) => ctx.savepoint(() => work(ctx)),
    async end() {
      ending.resolve();
      await transaction.catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error;
      });
    },
  };
}

async function contextOf(system: Ctx, login: string): Promise<Ctx> {
  const [id] = await system.modelNamed('res.users').search([['login', '=', login]]);
  const user = id === undefined ? null : await identityOf(system, id);
  if (!user) throw new InvalidInput(`There is no user with the login "${login}". Choose another one: --user <login>`);
  return system.as({ user, lang: user.lang ?? system.lang, timezone: user.timezone ?? system.timezone });
}
