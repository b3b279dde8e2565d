/** Test kit for the core and addons, imported as `pergola/testing`. Not part of a running site. */

export type { ContextOptions, WriteHow } from '@pergola/core';
export { commands } from '@pergola/core';
export { createModelKit, type ModelKit, refusal, type Viewer } from '@pergola/orm/testing';
export { createTestApp, type TestApp, type TestAppOptions } from './app.ts';
export {
  type AccessibleOptions,
  expectAccessible,
  type OpenPage,
  type PageOptions,
  startBrowser,
  type TestBrowser,
  type Trouble,
  withBrowser,
} from './browser.ts';
export { byLanguage } from './by-language.ts';
export { type Answer, CallError, Client } from './client.ts';
export { type HeldIntervals, holdIntervals, type TestClock, withClock } from './clock.ts';
export { cpuTime, slowdown } from './cpu-time.ts';
export {
  createTestDatabase,
  eachDatabase,
  someDatabase,
  type TestDatabase,
  type TestDialect,
  testDatabases,
} from './databases.ts';
export { inOrder } from './in-order.ts';
export { type Mailbox, openMailbox, type ReceivedMail } from './mailbox.ts';
export { type KeptServer, startPostgres } from './postgres/start.ts';
export { type RunningServer, type ServerOptions, startServer } from './server.ts';
export { type RunTourOptions, runTour } from './tour.ts';
export { until } from './until.ts';
