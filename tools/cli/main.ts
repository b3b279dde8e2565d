import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import type { Command, CommandIo } from '@pergola/core';
import {
  type AddonCommand,
  commands as addonPoint,
  addonRoots,
  allPoints,
  createLog,
  didYouMean,
  discover,
  explainHint,
  fullMessage,
  PergolaError,
  UsageError,
} from '@pergola/core';

/** Commands in the order of the help. Each is loaded only when called, so that `start` doesn't wait for the others. */
export const commands: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  start: () => import('./commands/start.ts'),
  dev: () => import('./commands/dev.ts'),
  queries: () => import('./commands/queries.ts'),
  build: () => import('./commands/build.ts'),
  new: () => import('./commands/new.ts'),
  make: () => import('./commands/make.ts'),
  console: () => import('./commands/console.ts'),
  test: () => import('./commands/test.ts'),
  pack: () => import('./commands/pack.ts'),
  list: () => import('./commands/list.ts'),
  sheet: () => import('./commands/sheet.ts'),
  outdated: () => import('./commands/outdated.ts'),
  sbom: () => import('./commands/sbom.ts'),
  cost: () => import('./commands/cost.ts'),
  breakers: () => import('./commands/breakers.ts'),
  changes: () => import('./commands/changes.ts'),
  undo: () => import('./commands/undo.ts'),
  enable: async () => ({ command: (await import('./switching.ts')).enable }),
  disable: async () => ({ command: (await import('./switching.ts')).disable }),
  upgrade: async () => ({ command: (await import('./switching.ts')).upgrade }),
  uninstall: () => import('./commands/uninstall.ts'),
  rehearse: () => import('./commands/rehearse.ts'),
  routes: () => import('./commands/routes.ts'),
  models: () => import('./commands/models.ts'),
  slots: () => import('./commands/slots.ts'),
  ids: () => import('./commands/ids.ts'),
  i18n: () => import('./commands/i18n.ts'),
  explain: () => import('./commands/explain.ts'),
  config: () => import('./commands/config.ts'),
  backup: () => import('./commands/backup.ts'),
  restore: () => import('./commands/restore.ts'),
  check: () => import('./commands/check.ts'),
};

/** Scripts that are mistaken for commands. */
const scripts: Readonly<Record<string, string>> = {
  docs: '"npm run docs"',
  format: '"npm run format"',
  api: '"npm run api"',
};

/** Runs a command line. Returns the exit code: 0 if the command succeeded, 1 if it failed, 2 for invalid arguments. */
export async function main(words: readonly string[], io: CommandIo = terminal): Promise<number> {
  if (io === terminal) endWithReader();
  const [name = 'help', ...rest] = words;
  if (['help', '--help', '-h'].includes(name)) return rest[0] === undefined ? help(io) : helpFor(rest[0], io);
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) return runAddonCommand(name, rest, io);
  return run(name, (await load()).command, rest, io);
}

async function run(name: string, command: Command, words: readonly string[], io: CommandIo): Promise<number> {
  if (!command.handsOn && words.some((word) => word === '--help' || word === '-h')) return helpOf(name, command, io);
  try {
    const { values, positionals } = command.handsOn
      ? { values: {}, positionals: [...words] }
      : parseArgs({ args: [...words], options: command.options ?? {}, allowPositionals: true });
    const missing = missingWords(command, positionals.length);
    if (missing.length > 0)
      throw new UsageError(`${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing.`);
    return await command.run({ words: positionals, options: values, io });
  } catch (error) {
    if (isUsageError(error)) {
      io.err(`${error.message}\nUsage: pergola ${name} ${command.usage}`);
      return 2;
    }
    if (error instanceof PergolaError) {
      io.err(`${fullMessage(error)}\n${explainHint(error.code)}`);
      return 1;
    }
    // Printed here, because a handler for uncaught exceptions could keep the process alive or let it end as if nothing had happened.
    io.err(Error.isError(error) ? (error.stack ?? error.message) : String(error));
    return 1;
  }
}

/** Required arguments that are missing, as named in the usage: `<kind>`, `<name>`. */
function missingWords({ least: minWords = 0, usage }: Command, wordCount: number): string[] {
  const [requiredUsage = ''] = usage.split(/[[|]/, 1);
  return (requiredUsage.match(/<[^>]+>/g) ?? []).slice(wordCount, minWords);
}

/** Runs a command of an enabled addon in system contexts. */
async function runAddonCommand(name: string, words: readonly string[], io: CommandIo): Promise<number> {
  const shippedCommands = await addonCommands();
  const outsideCommands = shippedCommands.some((command) => command.name === name) ? [] : await enabledCommands();
  const ofAddons = [...shippedCommands, ...outsideCommands];
  const addonCommand = ofAddons.find((command) => command.name === name);
  if (!addonCommand) {
    if (Object.hasOwn(scripts, name)) {
      io.err(`"${name}" isn't a command of pergola. Run ${scripts[name]} in Pergola's folder.`);
      return 2;
    }
    const suggestion = didYouMean(name, [...Object.keys(commands), ...ofAddons.map((command) => command.name)]);
    io.err(`There is no command "${name}". ${suggestion || '"pergola help" lists them.'}`);
    return 2;
  }
  const { summary, usage, options } = addonCommand;
  const command: Command = {
    summary,
    usage,
    options,
    run: async (call) => {
      const { withApplication } = await import('./with-application.ts');
      return withApplication(async (application) => {
        const enabled = application.generation.get(addonPoint);
        const enabledCommand = enabled.find((candidate) => candidate.name === name);
        if (!enabledCommand) throw new UsageError(`The addon with the command "${name}" is not enabled.`);
        return enabledCommand.run({
          ...call,
          read: (work) => application.asSystem('read', work),
          write: (work) => application.asSystem('write', work),
        });
      });
    },
  };
  return run(name, command, words, io);
}

/** Commands of all shipped addons, enabled or not. */
export async function addonCommands(): Promise<AddonCommand[]> {
  const { parts } = await import('../parts.ts');
  const discovery = await discover(addonRoots(), createLog('silent'), allPoints(parts));
  await discovery.loadAll();
  return discovery.loaded.flatMap(({ definition }) => definition.commands ?? []);
}

/** Commands of the enabled addons if there may be some from elsewhere: the code of others isn't run. None without a site. */
async function enabledCommands(): Promise<readonly AddonCommand[]> {
  if (addonRoots(process.env.ADDONS_PATH).length === addonRoots().length) return [];
  const { withApplication } = await import('./with-application.ts');
  try {
    return await withApplication(async ({ generation }) => generation.get(addonPoint));
  } catch (error) {
    if (error instanceof PergolaError) return [];
    throw error;
  }
}

function isUsageError(error: unknown): error is Error {
  const code = Error.isError(error) && 'code' in error ? String(error.code) : '';
  return error instanceof UsageError || code.startsWith('ERR_PARSE_ARGS');
}

async function helpFor(name: string, io: CommandIo): Promise<number> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return load ? helpOf(name, (await load()).command, io) : runAddonCommand(name, ['--help'], io);
}

async function help(io: CommandIo): Promise<number> {
  io.out('Usage: pergola <command>. For details: pergola help <command>\n');
  for (const [name, load] of Object.entries(commands)) {
    const { command } = await load();
    io.out(helpLine(name, command));
  }
  const ofAddons = [...(await addonCommands()), ...(await enabledCommands())];
  for (const [name, command] of new Map(ofAddons.map((command) => [command.name, command])))
    io.out(helpLine(name, command));
  return 0;
}

function helpOf(name: string, { usage, summary, details = [] }: Command, io: CommandIo): number {
  io.out(`Usage: pergola ${name} ${usage}`.trim());
  io.out(`\n${summary}.`);
  if (details.length > 0) io.out(['', ...details].join('\n'));
  return 0;
}

function helpLine(name: string, { usage, summary }: Pick<Command, 'usage' | 'summary'>): string {
  // Long usages get a separate line, so that the summaries stay aligned.
  const short = usage.length <= 32;
  return `  ${(short ? `${name} ${usage}` : name).padEnd(44)} ${summary}${short ? '' : `\n      ${name} ${usage}`}`;
}

/** Exits quietly if the reader closes the pipe (`pergola routes | head`): no one is left to read an error, and nothing is wrong. */
function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit();
    });
}

const terminal: CommandIo = {
  interactive: process.stdin.isTTY === true,
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  async confirm(question) {
    if (!terminal.interactive) return false;
    const prompt = createInterface({ input: process.stdin, output: process.stdout });
    try {
      return /^(y|yes|o|oui)$/i.test((await prompt.question(`${question} [y/N] `)).trim());
    } finally {
      prompt.close();
    }
  },
  async secret(question) {
    const { isTTY } = process.stdin;
    // Discards readline's echo.
    const output = isTTY ? new Writable({ write: (_chunk, _encoding, done) => done() }) : undefined;
    if (isTTY) process.stdout.write(question);
    const prompt = createInterface({ input: process.stdin, output, terminal: isTTY });
    try {
      for await (const line of prompt) return line;
      return null;
    } finally {
      prompt.close();
      if (isTTY) process.stdout.write('\n');
    }
  },
};
