import { createHash } from 'node:crypto';
import { registerHooks } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findPackage, importerOf } from '@pergola/core';
import { addEventHandler, getState } from 'jest-circus';
import { authorStack } from './author-stack.ts';
import { resolveInTests } from './resolve.ts';

// What jest-light-runner sets up in each of its processes. Node loads the modules there, as it does on a site, and keeps them for all test files: they are
// compiled once, and a warm process runs them several times as fast.

const globals = new URL('./globals.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return { url: globals, shortCircuit: true };
    // jest-light-runner gives a test file another address each time, under which no compiled code would be found.
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

/** Ends a test that hangs; no test waits for it, even on a machine with ten times its load. */
const LONGEST_MS = 600_000;

// As they are now: tests may replace them.
const { clearTimeout, setTimeout } = globalThis;

type Work = (...given: unknown[]) => unknown;

/** Ends the test that runs: an error that nothing handles is its fault, and would otherwise end the process. */
// architecture-exempt(mutable-module): one test at a time runs in a process
let fail = (error: unknown): void => console.error('After a test:', error);
process.on('uncaughtException', (error) => fail(error));
process.on('unhandledRejection', (error) => fail(error));

/** The error as it is printed: the test's own line first, and the cause, since “fetch failed” doesn't say why. */
function printable(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { cause, stack = '' } = error;
  const reason = cause instanceof Error ? `\nCaused by ${authorStack(cause.stack ?? '')}` : '';
  error.stack = `${authorStack(stack)}${reason}`;
  return error;
}

/** The work with a limit, and without errors that nothing handles; jest-light-runner knows neither. */
function limited(work: Work | undefined, limitMs: number): () => Promise<void> {
  return async () => {
    const { promise: failing, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`This took longer than ${limitMs} ms.`)), limitMs);
    const before = fail;
    fail = reject;
    try {
      await Promise.race([work?.(), failing]);
    } catch (error) {
      throw printable(error);
    } finally {
      clearTimeout(timer);
      fail = before;
    }
  };
}

// architecture-exempt(mutable-module): counts the tests of a process
let places = 0;

/** A number below `count`, by the seed of `--randomize`. */
function randomPlace(seed: string, count: number): number {
  places += 1;
  return createHash('sha256').update(`${seed} ${places}`).digest().readUInt32BE() % count;
}

type Block = ReturnType<typeof getState>['currentDescribeBlock'];

const hasTests = ({ children }: Block): boolean => children.some((child) => child.type === 'test' || hasTests(child));

/** Removes the hooks of a block without tests, which jest doesn't run and jest-light-runner does: they would start a site for nothing. */
function dropIdleHooks(block: Block): void {
  if (!hasTests(block)) block.hooks.length = 0;
}

const ordered = new WeakSet<Block>();
Object.assign(globalThis, {
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
  const [added, other] = [siblings[last], siblings[place]];
  if (added && other) [siblings[place], siblings[last]] = [added, other];
});
