import { createHash } from 'node:crypto';
import { registerHooks } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findPackage, importerOf } from '@pergola/core';
import { addEventHandler, getState } from 'jest-circus';
import { authorStack } from './author-stack.ts';
import { resolveInTests } from './resolve.ts';
import { shortFailure } from './short-failure.ts';

// Setup for each process of jest-light-runner. Node loads the modules, as on a site, and keeps them for all test files: they are compiled
// once, and a warm process runs them several times as fast.

const globals = new URL('./globals.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return { url: globals, shortCircuit: true };
    // jest-light-runner gives a test file a new URL each time, which would miss the compile cache.
    const [, testFile] = /^(file:.*\.test\.ts)\?\d+$/.exec(specifier) ?? [];
    if (testFile !== undefined) return next(testFile, context);
    const importer = importerOf(context.parentURL);
    const file = importer && resolveInTests(specifier, dirname(importer));
    if (file) return next(pathToFileURL(file).href, context);
    return findPackage(specifier, importer, (parentURL = context.parentURL) =>
      next(specifier, { ...context, parentURL }),
    );
  },
});

/** Ends a test that hangs; no test takes this long, even at ten times the load. */
const LONGEST_MS = 600_000;

// The originals, because tests may replace them.
const { clearTimeout, setTimeout } = globalThis;

type Work = (...args: unknown[]) => unknown;

/** Fails the running test: it caused the unhandled error, which would otherwise end the process. */
// architecture-exempt(mutable-module): one test at a time runs in a process
let fail = (error: unknown): void => console.error('After a test:', error);
process.on('uncaughtException', (error) => fail(error));
process.on('unhandledRejection', (error) => fail(error));

/** Functions that describe what a failed test worked on, such as its open pages. They return an empty text if there is nothing to say. */
// architecture-exempt(mutable-module): one test at a time runs in a process
const describers = new Set<() => Promise<string>>();

/**
 * The error to print: the test's own line first, long texts shortened, the cause, because “fetch failed” doesn't give the reason, and what
 * the test worked on.
 */
async function printable(error: unknown): Promise<unknown> {
  if (!(error instanceof Error)) return error;
  const { cause, message } = error;
  const descriptions = await Promise.all([...describers].map((describer) => describer().catch(String)));
  error.message = [shortFailure(message), ...descriptions].filter(Boolean).join('\n');
  const stack = (error.stack ?? '').replace(message, () => error.message);
  const reason = cause instanceof Error ? `\nCaused by ${authorStack(cause.stack ?? '')}` : '';
  error.stack = `${authorStack(stack)}${reason}`;
  return error;
}

/** Adds a timeout and catches unhandled errors, neither of which jest-light-runner supports. */
function limited(work: Work | undefined, limitMs: number): () => Promise<void> {
  return async () => {
    const { promise: failing, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`This took longer than ${limitMs} ms.`)), limitMs);
    const previousFail = fail;
    fail = reject;
    try {
      await Promise.race([work?.(), failing]);
    } catch (error) {
      throw await printable(error);
    } finally {
      clearTimeout(timer);
      fail = previousFail;
    }
  };
}

// architecture-exempt(mutable-module): counts the tests of a process
let places = 0;

/** A number below `count`, derived from the seed of `--randomize`. */
function randomPlace(seed: string, count: number): number {
  places += 1;
  return createHash('sha256').update(`${seed} ${places}`).digest().readUInt32BE() % count;
}

type Block = ReturnType<typeof getState>['currentDescribeBlock'];

const hasTests = ({ children }: Block): boolean => children.some((child) => child.type === 'test' || hasTests(child));

/** Removes the hooks of a block without tests. Jest skips them, but jest-light-runner would run them and start a site for nothing. */
function dropIdleHooks(block: Block): void {
  if (!hasTests(block)) block.hooks.length = 0;
}

const ordered = new WeakSet<Block>();
Object.assign(globalThis, {
  [Symbol.for('pergola.test.describer')]: (describer: () => Promise<string>) => void describers.add(describer),
  [Symbol.for('pergola.test.in-order')]: () => ordered.add(getState().currentDescribeBlock),
});

addEventHandler((event, { currentDescribeBlock: block }) => {
  if (event.name === 'add_test' || event.name === 'add_hook') {
    const added = event.name === 'add_test' ? block.children.at(-1) : block.hooks.at(-1);
    if (added && 'fn' in added) added.fn = limited(added.fn as Work | undefined, event.timeout ?? LONGEST_MS);
  }
  if (event.name === 'finish_describe_definition')
    for (const child of block.children) if (child.type === 'describeBlock') dropIdleHooks(child);
  const { RANDOM_SEED: seed } = process.env;
  if (!seed || (event.name !== 'add_test' && event.name !== 'start_describe_definition')) return;
  const parent = event.name === 'add_test' ? block : block.parent;
  if (!parent || ordered.has(parent)) return;
  const siblings = parent.children;
  if (seed === 'reverse') {
    siblings.unshift(...siblings.splice(-1));
    return;
  }
  const last = siblings.length - 1;
  const place = randomPlace(seed, siblings.length);
  const [added, swapped] = [siblings[last], siblings[place]];
  if (added && swapped) [siblings[place], siblings[last]] = [added, swapped];
});
