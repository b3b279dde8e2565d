import type { Problem } from '@pergola/core';

/** A problem at a position in one source. */
export interface Fault {
  /** Offset in the source. */
  readonly offset: number;
  readonly message: string;
  readonly remedy?: string;
}

/** Location of a source: a template, or the content of one change in a patch file. */
export interface Origin {
  readonly addon: string;
  /** Relative to the addon's folder. */
  readonly file: string;
  /** First line of the source in the file. */
  readonly line: number;
}

/** Converts a fault to a problem of the core, with its line in the file. */
export function problemOf(fault: Fault, source: string, { addon, file, line }: Origin): Problem {
  const textBefore = source.slice(0, fault.offset);
  const down = textBefore.length - textBefore.replaceAll('\n', '').length;
  return { addon, file, line: line + down, message: fault.message, remedy: fault.remedy };
}
