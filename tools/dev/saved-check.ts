import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { Problem } from '@pergola/core';
import { repository } from '@pergola/core';

/** Delay in ms before a check: lets pages show the change first, and combines several saves. */
const PAUSE_MS = 500;

/**
 * Checks saved addons in a low-priority process, to report mistakes in types, templates and promises early without slowing down saving. A
 * new save cancels the running check.
 */
export class SavedCheck {
  readonly #onChecked: (problems: readonly Problem[]) => void;
  readonly #run: (files: readonly string[]) => ChildProcess;
  /** Addon files that had problems or weren't checked yet. */
  readonly #files = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #child: ChildProcess | null = null;

  constructor(onChecked: (problems: readonly Problem[]) => void, run = runCheck) {
    this.#onChecked = onChecked;
    this.#run = run;
  }

  saved(files: readonly string[]): void {
    for (const file of files) this.#files.add(file);
    clearTimeout(this.#timer);
    this.#child?.kill();
    this.#child = null;
    this.#timer = setTimeout(() => void this.#check(), PAUSE_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#child?.kill();
    this.#child = null;
  }

  async #check(): Promise<void> {
    const child = this.#run([...this.#files]);
    this.#child = child;
    const problems = child.stdout && (await json(child.stdout).catch(() => null));
    if (this.#child !== child) return;
    this.#child = null;
    // No conclusions can be drawn from a check that crashed.
    if (!Array.isArray(problems)) return;
    if (problems.length === 0) this.#files.clear();
    this.#onChecked(problems as Problem[]);
  }
}

function runCheck(files: readonly string[]): ChildProcess {
  const script = join(repository, 'tools/templates/main.ts');
  const child = spawn(process.execPath, [...process.execArgv, script, 'saved', ...files], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  return child;
}
