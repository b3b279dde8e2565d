import { BrokenAddons, InvalidInput, NotAllowed, PergolaError, type Problem } from '../base/errors.ts';
import type { LifecycleHost } from '../kernel/host.ts';
import type { SwitchAction } from '../kernel/plan.ts';
import { inEnglish } from '../kernel/sentence.ts';
import { writeModule } from './module-store.ts';
import { enterSwitchLog } from './switch-log.ts';

/**
 * Keeps the report of a failed switch where the Apps screen shows it, and in the book of switches; the failure itself goes to the caller. What was
 * only asked wrongly (no consent given) is none.
 */
export async function noteFailure(
  { database, log, discovery }: LifecycleHost,
  error: unknown,
  { action, names, by, began }: { action: SwitchAction; names: readonly string[]; by: string; began: number },
): Promise<void> {
  if (error instanceof InvalidInput || error instanceof NotAllowed) return;
  const problems = problemsOf(error, names);
  log.warn({ err: error, action, addons: names }, 'A switch of addons failed');
  const known = new Set(discovery.addons.map(({ name }) => name));
  try {
    await database.write(
      async (transaction) => {
        for (const name of names.filter((one) => known.has(one)))
          await writeModule(database, transaction, name, { lastError: problems });
        const durationMs = performance.now() - began;
        await enterSwitchLog(database, transaction, {
          action,
          addons: names,
          result: 'failed',
          summary: [],
          problems,
          durationMs,
          by,
        });
      },
      { label: 'report of a failed switch' },
    );
  } catch (second) {
    log.error({ err: second }, 'The report of a failed switch could not be kept');
  }
}

function problemsOf(error: unknown, names: readonly string[]): readonly Problem[] {
  if (error instanceof BrokenAddons) return error.problems;
  const message =
    error instanceof PergolaError
      ? inEnglish({ text: error.message, params: error.params })
      : error instanceof Error
        ? error.message
        : String(error);
  return names.map((addon) => ({ addon, message }));
}
