import { stripVTControlCharacters } from 'node:util';
import type { CommandIo } from '@pergola/core';

/** Findings of a step, and the part that it couldn't check because of problems of earlier steps. */
interface Findings {
  readonly lines: readonly string[];
  readonly skipped: string | null;
}

type Work = () => readonly string[] | Promise<readonly string[] | Findings>;

/**
 * Returns the findings of a step. A step that throws, for example on code that a previous step reported as unreadable, doesn't prevent
 * later steps.
 */
async function findingsOf(title: string, work: Work): Promise<Findings> {
  try {
    const findings = await work();
    return 'lines' in findings ? findings : { lines: findings, skipped: null };
  } catch (error) {
    const message = stripVTControlCharacters(Error.isError(error) ? error.message : String(error));
    const [reason = ''] = message.trim().split('\n');
    return { lines: [`${title} couldn't be checked: ${reason.trim()}`], skipped: null };
  }
}

/** Steps of a check: each prints its title, its findings and the time it took. */
export class Steps {
  readonly #io: Pick<CommandIo, 'out' | 'err'>;
  /** Number of problems in all steps so far. */
  problemCount = 0;

  constructor(io: Pick<CommandIo, 'out' | 'err'>) {
    this.#io = io;
  }

  /**
   * Runs a step.
   *
   * @param work returns the problems, one line each, and what it skipped
   */
  async run(title: string, work: Work): Promise<void> {
    this.#io.out(`${title} …`);
    const begin = performance.now();
    const { lines, skipped } = await findingsOf(title, work);
    this.problemCount += lines.length;
    for (const line of lines) this.#io.err(line);
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    const count = lines.length === 1 ? '1 problem' : `${lines.length} problems`;
    const rest = skipped === null ? [] : [`skipped until the declarations are correct: ${skipped}`];
    const result = lines.length > 0 ? [count, ...rest] : skipped === null ? ['ok'] : rest;
    this.#io.out(`${title}: ${result.join('; ')}, ${seconds} s`);
  }
}
