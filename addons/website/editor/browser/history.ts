/** Step of the history: one piece with its previous and next value. */
export interface Step {
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
  /** Creation time in milliseconds. */
  readonly at: number;
}

/** Maximum pause in milliseconds between changes that form one typing step. */
const maxPause = 1200;
/** Maximum number of steps. */
const maxSteps = 200;

/** Undo history. Continuous typing in one piece is a single step. */
export class EditHistory {
  #done: Step[] = [];
  #undone: Step[] = [];

  get canUndo(): boolean {
    return this.#done.length > 0;
  }

  get canRedo(): boolean {
    return this.#undone.length > 0;
  }

  /** Adds a step; with `typing`, merges it into a recent step of the same piece. */
  add(step: Omit<Step, 'at'>, { typing = false, now = Date.now() } = {}): void {
    if (step.before === step.after) return;
    const last = this.#done.at(-1);
    this.#undone = [];
    if (typing && last && last.key === step.key && now - last.at < maxPause) {
      this.#done[this.#done.length - 1] = { ...last, after: step.after, at: now };
      return;
    }
    this.#done = [...this.#done, { ...step, at: now }].slice(-maxSteps);
  }

  /** Step to undo; the caller shows its `before`. */
  undo(): Step | null {
    const step = this.#done.pop();
    if (!step) return null;
    this.#undone.push(step);
    return step;
  }

  /** Step to redo; the caller shows its `after`. */
  redo(): Step | null {
    const step = this.#undone.pop();
    if (!step) return null;
    this.#done.push({ ...step, at: 0 });
    return step;
  }

  clear(): void {
    this.#done = [];
    this.#undone = [];
  }
}
