import type { Problem } from '@pergola/core';

/** Something wrong at a place of one source. */
export interface Fault {
  /** Offset in the source. */
  readonly offset: number;
  readonly message: string;
  readonly remedy?: string;
}

/** Where a source comes from: a template, or the content of one change in a patch file. */
export interface Origin {
  readonly addon: string;
  /** Relative to the addon's folder. */
  readonly file: string;
  /** The line of the file on which the source begins. */
  readonly line: number;
}

/** The fault as the core reports it, its line that of the file. */
export function problemOf(fault: Fault, source: string, { addon, file, line }: Origin): Problem {
  const before = source.slice(0, fault.offset);
  const down = before.length - before.replaceAll('\n', '').length;
  return { addon, file, line: line + down, message: fault.message, remedy: fault.remedy };
}
