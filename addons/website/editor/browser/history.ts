/** A step of editing: one piece, before and after. */
export interface Step {
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
  /** When it was made, in ms. */
  readonly at: number;
}

/** How long typing goes on as one step, in ms. */
const together = 1200;
/** Most steps kept. */
const most = 200;

/** Steps of editing, to be taken back and made again. Typing in one piece without a pause is one step. */
export class EditHistory {
  #done: Step[] = [];
  #undone: Step[] = [];

  get canUndo(): boolean {
    return this.#done.length > 0;
  }

  get canRedo(): boolean {
    return this.#undone.length > 0;
  }

  /** Keeps a step; one of the same piece shortly before takes it in when `typing` says that it goes on. */
  add(step: Omit<Step, 'at'>, { typing = false, now = Date.now() } = {}): void {
    if (step.before === step.after) return;
    const last = this.#done.at(-1);
    this.#undone = [];
    if (typing && last && last.key === step.key && now - last.at < together) {
      this.#done[this.#done.length - 1] = { ...last, after: step.after, at: now };
      return;
    }
    this.#done = [...this.#done, { ...step, at: now }].slice(-most);
  }

  /** The step to take back: show its `before`. */
  undo(): Step | null {
    const step = this.#done.pop();
    if (!step) return null;
    this.#undone.push(step);
    return step;
  }

  /** The step to make again: show its `after`. */
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
