import type { Locator, Page } from 'playwright-core';

/** As much of a step as walking it takes; addon website says what each is for. */
interface TourStep {
  readonly element?: string;
  readonly title: string;
  readonly action?: 'click' | 'type' | 'select' | 'none';
  readonly text?: string;
  readonly onlyIfEmpty?: boolean;
  readonly waitFor?: string;
  readonly waitNot?: string;
}

/** As much of a tour of addon website as walking it takes. */
interface Tour {
  readonly id: string;
  readonly path: string;
  readonly steps: readonly TourStep[];
}

/** How a tour is walked. */
export interface RunTourOptions {
  /** Milliseconds in which each step has to be reached. Default: the page's own, a minute. */
  readonly timeout?: number;
  /** Looks at the page when a step is reached, before it is done: for pictures, and checks that only tests make. */
  readonly onStep?: (step: TourStep, page: Page) => Promise<void> | void;
}

/**
 * Walks a tour of an addon in a browser, doing what it asks a person to do. The page needs a `baseUrl`.
 *
 * ```ts
 * const { page } = await browser.openPage({ baseUrl: app.url });
 * await runTour(page, buyTicket);
 * ```
 *
 * @throws Error naming the step that was not reached, and where
 */
export async function runTour(page: Page, tour: Tour, options: RunTourOptions = {}): Promise<void> {
  const { timeout, onStep } = options;
  await page.goto(tour.path);
  for (const [index, step] of tour.steps.entries()) {
    try {
      const target = await reach(page, step, timeout);
      await onStep?.(step, page);
      if (target) await perform(target, step, timeout);
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      throw new Error(`Tour "${tour.id}" stops at step ${index + 1}, “${step.title}”, on ${page.url()}:\n${what}`, {
        cause: error,
      });
    }
  }
}

/** Waits until the step can begin; answers what it is about. */
async function reach(
  page: Page,
  { element, waitFor, waitNot }: TourStep,
  timeout: number | undefined,
): Promise<Locator | null> {
  if (waitFor !== undefined) await page.locator(waitFor).first().waitFor({ state: 'attached', timeout });
  if (waitNot !== undefined)
    await page.waitForFunction((selector) => !document.querySelector(selector), waitNot, { timeout });
  if (element === undefined) return null;
  const target = page.locator(element).filter({ visible: true }).first();
  await target.waitFor({ state: 'visible', timeout });
  return target;
}

async function perform(
  target: Locator,
  { action = 'click', text = '', onlyIfEmpty = false }: TourStep,
  timeout: number | undefined,
): Promise<void> {
  if (action === 'click') await target.click({ timeout });
  else if (action === 'select') await target.selectOption(text, { timeout });
  else if (action === 'type' && !(onlyIfEmpty && (await writtenIn(target)) !== ''))
    await target.fill(text, { timeout });
}

function writtenIn(target: Locator): Promise<string> {
  return target.evaluate((element) =>
    ('value' in element ? String(element.value) : (element.textContent ?? '')).trim(),
  );
}
