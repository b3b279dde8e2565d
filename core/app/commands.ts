import type { ParseArgsOptionsConfig } from 'node:util';
import type { Ctx } from '../context/index.ts';
import { listPoint } from '../kernel/index.ts';

/** Options as `node:util`'s parseArgs gives them. */
type OptionValues = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** One word after `pergola`. */
export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  /** What follows the word: `<addon>… [--yes]`. */
  readonly usage: string;
  /** What the help of this command adds, such as its options; one line each. */
  readonly details?: readonly string[];
  readonly options?: ParseArgsOptionsConfig;
  /** Takes every word as it stands, options too, and hands them on to another program. */
  readonly handsOn?: true;
  /** Fewest words after the command. */
  readonly least?: number;
  readonly run: (call: { words: readonly string[]; options: OptionValues; io: CommandIo }) => Promise<number>;
}

/** Where a command writes and asks. */
export interface CommandIo {
  out(line: string): void;
  err(line: string): void;
  /** Answers yes or no; no where nobody can be asked. */
  confirm(question: string): Promise<boolean>;
  /** Asks for something that must not be seen: without an echo on a terminal, else the first line of what is piped in; null when there is none. */
  secret(question: string): Promise<string | null>;
}

/** Words that do not fit the command. */
export class UsageError extends Error {}

/** A command that an addon adds to `pergola`; it acts as the system, with rights lifted. */
export interface AddonCommand {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly options?: ParseArgsOptionsConfig;
  /** Answers the exit code: 0 only when done. `read` and `write` give contexts; slow work belongs before `write`. */
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
