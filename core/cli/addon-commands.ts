import type { ParseArgsOptionsConfig } from 'node:util';
import type { Ctx } from '../context.ts';
import { listPoint } from '../kernel/point.ts';
import type { CommandIo, OptionValues } from './command.ts';

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

declare module '../kernel/point.ts' {
  interface Contributions {
    /** Commands added to `pergola`. */
    commands: readonly AddonCommand[];
  }
}

export const commands = listPoint('commands');
