import { confirmDialog, notify, pageLanguage, RpcError, ready, rpc, t } from '#core/browser';
import { TourPopover } from './popover.ts';
import { readTour, type TourState, writeTour } from './state.ts';
import { actionOf, perform, placeOf, type Step, whenDone, writtenIn } from './step.ts';

interface Tour {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly steps: readonly Step[];
}

/** Milliseconds between two looks for what a step waits for, and after which a person is told what is being waited for. */
const LOOK = 50;
const PATIENCE = 5_000;

/** Guides through the tour that the browser's storage names, from the step it names; answers how to stop without forgetting it. */
export async function runTour(): Promise<() => void> {
  const state = readTour();
  const tour = state ? await fetchTour(state.id) : null;
  await ready;
  if (!state || !tour) {
    if (state) notify(t('There is no such tour.'), 'alert');
    writeTour(null);
    return () => {};
  }
  return new Runner(tour, state).start();
}

async function fetchTour(id: string): Promise<Tour | null> {
  const lang = pageLanguage().replace('-', '_');
  const answer = await fetch(`/website/tours/${encodeURIComponent(id)}?lang=${lang}`).catch(() => null);
  return answer?.ok ? ((await answer.json()) as Tour) : null;
}

class Runner {
  readonly #tour: Tour;
  #index: number;
  #popover: TourPopover | null = null;
  #target: HTMLElement | null = null;
  #step = new AbortController();
  #since = Date.now();
  #told = false;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(tour: Tour, { step }: TourState) {
    this.#tour = tour;
    this.#index = step;
  }

  start(): () => void {
    this.#timer = setInterval(() => this.#look(), LOOK);
    this.#look();
    return () => this.#stop();
  }

  #look(): void {
    const step = this.#tour.steps[this.#index];
    if (!step) {
      this.#finish();
      return;
    }
    if (step.trouble && document.querySelector(step.trouble.when)) {
      void this.#ask(step.trouble);
      return;
    }
    const { ready: isReady, target } = placeOf(step);
    if (!isReady) {
      this.#hide();
      this.#wait(step);
    } else if (this.#popover && target === this.#target) this.#popover.place();
    else this.#show(step, target);
  }

  #show(step: Step, target: HTMLElement | null): void {
    this.#hide();
    if (target && step.onlyIfEmpty && writtenIn(target) !== '') {
      this.#advance();
      return;
    }
    this.#target = target;
    const before = target ? writtenIn(target) : '';
    this.#popover = new TourPopover(step, { index: this.#index, count: this.#tour.steps.length }, target, {
      onNext: () => this.#next(step, target, before),
      onEnd: () => this.#end(),
    });
    if (target) whenDone(step, target, () => this.#advance(), this.#step.signal);
  }

  /** Done for the person; what they have written or chosen themselves is left alone. */
  #next(step: Step, target: HTMLElement | null, before: string): void {
    const isDone = target !== null && actionOf(step) !== 'click' && !['', before].includes(writtenIn(target));
    this.#advance();
    if (target && !isDone) perform(step, target);
  }

  #advance(): void {
    this.#hide();
    this.#index++;
    this.#since = Date.now();
    this.#told = false;
    const over = this.#index >= this.#tour.steps.length;
    writeTour(over ? null : { id: this.#tour.id, step: this.#index });
    if (over) this.#finish();
  }

  #wait(step: Step): void {
    if (this.#told || Date.now() - this.#since < PATIENCE) return;
    this.#told = true;
    notify(t('The tour goes on at “{step}”.', { step: step.title }));
  }

  /** Says what keeps the tour from going on. It begins anew once that is put right, else it ends. */
  async #ask({ help, label, call }: NonNullable<Step['trouble']>): Promise<void> {
    this.#stop();
    if (!(await confirmDialog(help, { yes: label, no: t('End the tour') }))) return writeTour(null);
    try {
      await rpc(call);
      writeTour({ id: this.#tour.id, step: 0 });
      location.assign(this.#tour.path);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      notify(error.message, 'alert');
    }
  }

  #finish(): void {
    this.#stop();
    writeTour(null);
    notify(t('That was the tour “{name}”.', { name: this.#tour.name }));
  }

  #end(): void {
    this.#stop();
    writeTour(null);
  }

  #hide(): void {
    this.#step.abort();
    this.#step = new AbortController();
    this.#popover?.close();
    this.#popover = null;
    this.#target = null;
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#hide();
  }
}
