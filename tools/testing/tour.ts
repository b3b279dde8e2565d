import type { Locator, Page } from 'playwright-core';

/** The properties of a step needed to run it; the website addon documents them. */
interface TourStep {
  readonly element?: string;
  readonly title: string;
  readonly action?: 'click' | 'type' | 'select' | 'none';
  readonly text?: string;
  readonly onlyIfEmpty?: boolean;
  readonly waitFor?: string;
  readonly waitNot?: string;
}

/** The properties of a website tour needed to run it. */
interface Tour {
  readonly id: string;
  readonly path: string;
  readonly steps: readonly TourStep[];
}

/** Options for running a tour. */
export interface RunTourOptions {
  /** Milliseconds to reach each step. Default: the page's own timeout of one minute. */
  readonly timeout?: number;
  /** Called when a step is reached, before its action runs: for screenshots and additional checks. */
  readonly onStep?: (step: TourStep, page: Page) => Promise<void> | void;
}

/**
 * Runs a tour of an addon in a browser, performing the actions it asks a user to do. The page needs a `baseUrl`.
 *
 * ```ts
 * const { page } = await browser.openPage({ baseUrl: app.url });
 * await runTour(page, buyTicket);
 * ```
 *
 * @throws Error naming the step that wasn't reached, and the URL
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
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`Tour "${tour.id}" stops at step ${index + 1}, “${step.title}”, on ${page.url()}:\n${reason}`, {
        cause: error,
      });
    }
  }
}

/** Waits until a step can start; returns its element. */
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
