import { finish } from './run.ts';

/** jest's globalTeardown: undoes what globalSetup made. */
export default async function teardown(): Promise<void> {
  await finish();
}
