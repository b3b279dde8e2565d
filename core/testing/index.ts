/**
 * What tests of the kernel and of addons use, imported as `#core/testing`. Nothing here is part of a running site.
 */

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
export { createTestDatabase, eachDatabase, type TestDatabase, type TestDialect, testDatabases } from './databases.ts';
export { type Mailbox, openMailbox, type ReceivedMail } from './mailbox.ts';
export { type KeptServer, startPostgres } from './postgres/start.ts';
export { type RunningServer, type ServerOptions, startServer } from './server.ts';
