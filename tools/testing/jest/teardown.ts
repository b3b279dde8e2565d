import { finish } from './run.ts';

/** Jest's globalTeardown: undoes globalSetup. */
export default async function teardown(): Promise<void> {
  await finish();
}
