import {
  type Application,
  BrokenAddons,
  type CodeFollower,
  type Problem,
  problemIn,
  type StartUp,
} from '@pergola/core';
import { database } from '@pergola/db';
import { planSchema } from '@pergola/switching';
import { codeChanges } from './code-changes.ts';

type FollowedApplication = Pick<
  Application,
  'config' | 'log' | 'discovery' | 'lifecycle' | 'ready' | 'generation' | 'get'
>;

/** Updates the database to match the code of addons, even if no version was raised. Logs what fails. */
export class SavedCodeFollower implements CodeFollower {
  problems: readonly Problem[] = [];
  #pending: (() => Promise<void>) | null = null;

  async start(application: FollowedApplication, starting: Promise<StartUp>): Promise<void> {
    const start = await starting.catch((error: unknown) => {
      if (!(error instanceof BrokenAddons)) throw error;
      this.#fail(application, error, 'Nothing can be served');
    });
    // The developer fixes the problem and starts again.
    if (!start || (!application.ready && start.missing.length === 0)) return;
    await this.#update(application, start);
    await application.lifecycle.follower.check();
  }

  async follow(): Promise<void> {
    const update = this.#pending;
    this.#pending = null;
    await update?.();
  }

  async #update(application: FollowedApplication, { firstStart, missing }: StartUp): Promise<void> {
    const { config, discovery, lifecycle } = application;
    const { addons, demo, records, settle } = await codeChanges(config, discovery);
    const follow = async (action: 'upgrade' | 'refresh'): Promise<void> => {
      try {
        const options = { by: 'development', data: addons };
        if (!firstStart) await lifecycle.run(action, [], action === 'refresh' ? { ...options, demo } : options);
        await settle();
      } catch (error) {
        this.#fail(application, error, 'The database does not follow the code');
      }
    };
    if (firstStart || missing.length > 0) return follow('upgrade');
    if (addons.size === 0) return;
    if (records || (await isSchemaOutdated(application))) return follow('refresh');
    this.#pending = () => follow('refresh');
  }

  #fail({ log, discovery }: FollowedApplication, error: unknown, message: string): void {
    this.problems = error instanceof BrokenAddons ? error.problems : [problemIn(error, discovery.addons)];
    log.error({ err: error }, message);
  }
}

async function isSchemaOutdated(application: FollowedApplication): Promise<boolean> {
  const { steps, problems } = await planSchema(application.get(database), application.generation);
  return [...Object.values(steps), problems].some((list) => list.length > 0);
}
