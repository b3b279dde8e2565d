import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { PergolaError } from '../errors.ts';
import type { Command, CommandIo } from './command.ts';
import { UsageError } from './usage-error.ts';

/** The commands, in the order of the help. Each is loaded only when it is called: `start` must not wait for the others. */
const commands: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  start: () => import('./commands/start.ts'),
  dev: () => import('./commands/dev.ts'),
  build: () => import('./commands/build.ts'),
  new: () => import('./commands/new.ts'),
  list: () => import('./commands/list.ts'),
  enable: () => import('./commands/enable.ts'),
  disable: () => import('./commands/disable.ts'),
  upgrade: () => import('./commands/upgrade.ts'),
  uninstall: () => import('./commands/uninstall.ts'),
  routes: () => import('./commands/routes.ts'),
  models: () => import('./commands/models.ts'),
  slots: () => import('./commands/slots.ts'),
  i18n: () => import('./commands/i18n.ts'),
  config: () => import('./commands/config.ts'),
  backup: () => import('./commands/backup.ts'),
  restore: () => import('./commands/restore.ts'),
  check: () => import('./commands/check.ts'),
};

/**
 * Runs one command line. Answers the exit code: 0 only when what was asked for is done, 1 when it failed, 2 when the words do not fit.
 */
export async function main(words: readonly string[], io: CommandIo = terminal): Promise<number> {
  const [name = 'help', ...rest] = words;
  if (['help', '--help', '-h'].includes(name)) return help(io);
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) {
    io.err(`There is no command "${name}". "pergola help" lists them.`);
    return 2;
  }
  const { command } = await load();
  try {
    const { values, positionals } = parseArgs({
      args: [...rest],
      options: command.options ?? {},
      allowPositionals: true,
    });
    if (positionals.length < (command.least ?? 0)) throw new UsageError('Something is missing.');
    return await command.run({ words: positionals, options: values, io });
  } catch (error) {
    if (isUsageError(error)) {
      io.err(`${error.message}\nUsage: pergola ${name} ${command.usage}`);
      return 2;
    }
    if (error instanceof PergolaError) {
      io.err(fill(error));
      return 1;
    }
    throw error;
  }
}

function isUsageError(error: unknown): error is Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return error instanceof UsageError || code.startsWith('ERR_PARSE_ARGS');
}

function fill({ message, params }: PergolaError): string {
  return message.replace(/\{(\w+)\}/g, (all, name: string) => String(params[name] ?? all));
}

async function help(io: CommandIo): Promise<number> {
  io.out('Usage: pergola <command>\n');
  for (const [name, load] of Object.entries(commands)) {
    const { command } = await load();
    io.out(`  ${`${name} ${command.usage}`.padEnd(58)} ${command.summary}`);
  }
  return 0;
}

const terminal: CommandIo = {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  async confirm(question) {
    if (!process.stdin.isTTY) return false;
    const asking = createInterface({ input: process.stdin, output: process.stdout });
    try {
      return /^(y|yes|o|oui)$/i.test((await asking.question(`${question} [y/N] `)).trim());
    } finally {
      asking.close();
    }
  },
};
