import type { ParseArgsOptionsConfig } from 'node:util';
import type { Ctx } from '../context/index.ts';
import { listPoint } from '../kernel/index.ts';

/** Options as returned by parseArgs of `node:util`. */
type OptionValues = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** A subcommand of `pergola`. */
export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  /** Arguments of the command: `<addon>… [--yes]`. */
  readonly usage: string;
  /** Additional help lines, such as its options. */
  readonly details?: readonly string[];
  readonly options?: ParseArgsOptionsConfig;
  /** Passes all words and options unchanged to another program. */
  readonly handsOn?: true;
  /** Minimum number of words after the command. */
  readonly least?: number;
  readonly run: (call: { words: readonly string[]; options: OptionValues; io: CommandIo }) => Promise<number>;
}

/** Input and output of a command. */
export interface CommandIo {
  /** Whether questions reach a person; false without a terminal. */
  readonly interactive?: boolean;
  out(line: string): void;
  err(line: string): void;
  /** Asks a yes/no question; returns false if input isn't interactive. */
  confirm(question: string): Promise<boolean>;
  /** Asks for a secret without echoing it on a terminal, or reads the first line of piped input; null without input. */
  secret(question: string): Promise<string | null>;
}

/** Invalid arguments of a command. */
export class UsageError extends Error {}

/** A command that an addon adds to `pergola`; it runs as the system, with rights lifted. */
export interface AddonCommand {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly options?: ParseArgsOptionsConfig;
  /** Returns the exit code: 0 only on success. `read` and `write` provide contexts; do slow work before `write`. */
  readonly run: (call: {
    readonly words: readonly string[];
    readonly options: OptionValues;
    readonly io: CommandIo;
    read<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
    write<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
  }) => Promise<number>;
}

declare module '../kernel/contributions.ts' {
  interface Contributions {
    /** Commands added to `pergola`. */
    commands: readonly AddonCommand[];
  }
}

export const commands = listPoint('commands');
