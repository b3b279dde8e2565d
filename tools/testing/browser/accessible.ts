import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const rules = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];

/** Parts of a page by CSS selector. */
export interface AccessibleOptions {
  /** parts to check; all by default */
  include?: string[];
  /** parts to skip; add a comment with the reason */
  exclude?: string[];
}

/** Checks the current page with axe against WCAG 2.0, 2.1 and 2.2, levels A and AA, and throws the list of violations. */
export async function expectAccessible(page: Page, options: AccessibleOptions = {}): Promise<void> {
  const results = await withScripts(page, async () => {
    await waitForAnimations(page);
    // Scrolls to the top: elements covered by a sticky header would be measured too small.
    const from = await page.evaluate(() => [scrollX, scrollY] as const);
    await page.evaluate(() => scrollTo({ top: 0, left: 0, behavior: 'instant' }));
    const axeResults = await runAxe(page, options);
    await page.evaluate(([left, top]) => scrollTo({ top, left, behavior: 'instant' }), from);
    return axeResults;
  });
  if (results.violations.length === 0) return;
  throw new Error(`${page.url()} has accessibility violations:\n${results.violations.map(describe).join('\n')}`);
}

async function runAxe(page: Page, options: AccessibleOptions): Promise<axe.AxeResults> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(`typeof axe === 'undefined' && (() => { ${source} })()`);
  const context = options.include || options.exclude ? JSON.stringify(options) : 'document';
  const run = JSON.stringify({ runOnly: { type: 'tag', values: rules }, resultTypes: ['violations'] });
  return page.evaluate<axe.AxeResults>(`axe.run(${context}, ${run})`);
}

/**
 * axe needs timers. On a page without JavaScript, scripts are enabled while axe runs; the page's own scripts, skipped during parsing, still
 * don't run.
 */
async function withScripts<T>(page: Page, use: () => Promise<T>): Promise<T> {
  const ticks = page.evaluate(() => new Promise((done) => setTimeout(() => done(true))));
  const runs = await Promise.race([ticks.catch(() => false), sleep(300).then(() => false)]);
  if (runs) return use();
  const session = await page.context().newCDPSession(page);
  const allow = (scripts: boolean): Promise<unknown> =>
    session.send('Emulation.setScriptExecutionDisabled', { value: !scripts });
  // Disables scripts first, because enabling them has no effect unless this session disabled them.
  await allow(false);
  await allow(true);
  try {
    return await use();
  } finally {
    // The session stays open until the page is closed: ending it would enable the page's scripts.
    await allow(false);
  }
}

function describe(violation: axe.Result): string {
  const places = violation.nodes.map(
    (node) => `    ${node.html}\n      ${node.failureSummary?.replaceAll('\n', '\n      ')}`,
  );
  return `  ${violation.id} (${violation.impact}): ${violation.help}. ${violation.helpUrl}\n${places.join('\n')}`;
}

/** Waits for fade animations to finish, because colours in between aren't meant to be read. */
async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime));
    const done = Promise.allSettled(ending.map((animation) => animation.finished));
    await Promise.race([done, new Promise((late) => setTimeout(late, 1000))]);
  });
}
