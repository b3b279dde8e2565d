import { stripVTControlCharacters } from 'node:util';
import type { CommandIo } from '@pergola/core';

type Work = () => readonly string[] | Promise<readonly string[]>;

/**
 * Returns the findings of a step. A step that throws, for example on code that a previous step reported as unreadable, doesn't prevent
 * later steps.
 */
async function findingsOf(title: string, work: Work): Promise<readonly string[]> {
  try {
    return await work();
  } catch (error) {
    const message = stripVTControlCharacters(Error.isError(error) ? error.message : String(error));
    const [reason = ''] = message.trim().split('\n');
    return [`${title} couldn't be checked: ${reason.trim()}`];
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
   * @param work returns the problems, one line each
   */
  async run(title: string, work: Work): Promise<void> {
    this.#io.out(`${title} …`);
    const begin = performance.now();
    const lines = await findingsOf(title, work);
    this.problemCount += lines.length;
    for (const line of lines) this.#io.err(line);
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    const result = lines.length === 0 ? 'ok' : lines.length === 1 ? '1 problem' : `${lines.length} problems`;
    this.#io.out(`${title}: ${result}, ${seconds} s`);
  }
}
