import { confirmDialog, notify, pageLanguage, ready, request, t } from 'pergola/browser';
import { useCall } from 'pergola/islands';
import { useEffect, useState } from 'react';
import type { TourStep } from '../../../snippets/tours/point.ts';
import { showBeside } from '../show-beside.ts';
import { TourNote } from './note.tsx';
import { readTour, writeTour } from './state.ts';
import { actionOf, isThere, perform, placeOf, writtenIn } from './step.ts';

interface TourAbout {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly steps: readonly TourStep[];
}

/** Milliseconds between checks for a step's target, and after which the user is shown what the tour is waiting for. */
const LOOK = 50;
const PATIENCE = 5_000;

/** Resumes the tour in the browser's storage at its current step. Returns a function that stops it without clearing the storage. */
export async function runTour(): Promise<() => void> {
  const state = readTour();
  if (!state) return () => {};
  try {
    const tour = await fetchTour(state.id);
    if (tour) return await showBeside(document.body, '', (end) => <Tour tour={tour} first={state.step} onOver={end} />);
    await ready;
    notify(t('This tour doesn’t exist.'), 'alert');
    writeTour(null);
  } catch {
    // The connection is interrupted or the server is busy, so the tour resumes on the next page.
    await ready;
    notify(t('The tour couldn’t be loaded. Reload the page to continue it.'), 'alert');
  }
  return () => {};
}

/**
 * Returns a tour, or null if it doesn't exist.
 *
 * @throws Error if the server can't be reached or fails
 */
async function fetchTour(id: string): Promise<TourAbout | null> {
  const lang = pageLanguage().replace('-', '_');
  const answer = await request(`/website/tours/${encodeURIComponent(id)}?lang=${lang}`);
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`The tour ${id} was answered with status ${answer.status}.`);
  return (await answer.json()) as TourAbout;
}

interface ActiveStep {
  readonly step: TourStep;
  readonly target: HTMLElement | null;
  /** Text of the target when the step was shown. */
  readonly before: string;
}

/** Waits for a step's target, shows the step, and continues after it is completed. */
function Tour({ tour, first, onOver }: { tour: TourAbout; first: number; onOver: () => void }) {
  const { id, name, path, steps } = tour;
  const [index, setIndex] = useState(first);
  const [current, setCurrent] = useState<ActiveStep | null>(null);
  const { call } = useCall();
  const end = (): void => {
    writeTour(null);
    onOver();
  };
  const advance = (): void => {
    writeTour(index + 1 < steps.length ? { id, step: index + 1 } : null);
    setCurrent(null);
    setIndex(index + 1);
  };
  /** Performs the step for the user; keeps text and choices entered by the user. */
  const next = ({ step, target, before: initialText }: ActiveStep): void => {
    const isDone = target !== null && actionOf(step) !== 'click' && !['', initialText].includes(writtenIn(target));
    advance();
    if (target && !isDone) perform(step, target);
  };
  /** Explains what blocks the tour. Restarts it once that is fixed; otherwise the tour ends. */
  const solve = async ({ help, label, call: solution }: NonNullable<TourStep['trouble']>): Promise<void> => {
    if (!(await confirmDialog(help, { yes: label, no: t('End the tour') }))) return end();
    call(
      solution,
      {},
      {
        done() {
          writeTour({ id, step: 0 });
          location.assign(path);
        },
      },
    );
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step starts once
  useEffect(() => {
    const step = steps[index];
    if (!step) {
      notify(t('You’ve completed the tour “{name}”.', { name }));
      // Not during React's render.
      queueMicrotask(end);
      return undefined;
    }
    const since = Date.now();
    let isTold = false;
    let lastPlace: { readonly target: HTMLElement | null } | null = null;
    const check = (): void => {
      if (step.trouble && isThere(step.trouble.when)) {
        clearInterval(timer);
        setCurrent(null);
        void solve(step.trouble);
        return;
      }
      const { ready: isReady, target } = placeOf(step);
      if (isReady && lastPlace?.target === target) return;
      lastPlace = isReady ? { target } : null;
      if (!isReady) {
        setCurrent(null);
        if (isTold || Date.now() - since < PATIENCE) return;
        isTold = true;
        notify(t('The tour continues at “{step}”.', { step: step.title }));
      } else if (target && step.onlyIfEmpty && writtenIn(target) !== '') advance();
      else setCurrent({ step, target, before: target ? writtenIn(target) : '' });
    };
    const timer = setInterval(check, LOOK);
    check();
    return () => clearInterval(timer);
  }, [index]);
  if (!current) return null;
  const { step, target } = current;
  return (
    <TourNote
      key={index}
      step={step}
      index={index}
      count={steps.length}
      target={target}
      onDone={advance}
      onNext={() => next(current)}
      onEnd={end}
    />
  );
}
