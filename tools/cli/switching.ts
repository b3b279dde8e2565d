import type { Application } from '../../core/app/application.ts';
import type { Command, CommandIo } from '../../core/app/commands.ts';
import type { CommandLine } from '../../core/app/fresh-process.ts';
import { BrokenAddons, describeProblem, PergolaError, rootCauses } from '../../core/base/errors.ts';
import type { Plan, SwitchAction } from '../../core/kernel/plan.ts';
import { inEnglish, type Sentence } from '../../core/kernel/sentence.ts';
import { withApplication } from './with-application.ts';

/**
 * A command that switches addons: shows the plan, asks where somebody should know more, does it, and says how it ended. `--json` is for programs,
 * which read lines (`CommandLine`); `--by` says in whose name they ask.
 */
function switchCommand(action: Exclude<SwitchAction, 'uninstall'>, summary: string, least = 1): Command {
  return {
    summary,
    usage: `${least > 0 ? '<addon>…' : '[<addon>…]'} [--yes] [--dry-run] [--json] [--by <login>]`,
    options: {
      yes: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      json: { type: 'boolean' },
      by: { type: 'string' },
    },
    least,
    run: ({ words, options, io }) =>
      withApplication(async ({ lifecycle }) => {
        const by = typeof options.by === 'string' ? options.by : 'command line';
        if (options.json === true) {
          const about = { action, words, by, yes: options.yes === true, dryRun: options['dry-run'] === true };
          return inLines(lifecycle, about, (line) => io.out(JSON.stringify(line)));
        }
        const plan = await lifecycle.plan(action, words);
        if (!showPlan(plan, io)) return 1;
        if (plan.addons.length === 0 || options['dry-run']) return 0;
        const yes = options.yes === true || (plan.needsYes && (await io.confirm('Go on?')));
        if (plan.needsYes && !yes) {
          io.err('Nothing was changed. Say --yes to agree.');
          return 1;
        }
        await lifecycle.run(action, words, {
          by,
          yes,
          onProgress: ({ sentence }) => io.out(`… ${inEnglish(sentence)}`),
        });
        return 0;
      }),
  };
}

export const enable = switchCommand('enable', 'Switches addons on, with those they need');
export const disable = switchCommand('disable', 'Switches addons off; their data stays');
export const upgrade = switchCommand(
  'upgrade',
  'Brings addons to the version on disk; all that are older when none is named',
  0,
);

/** The same for a program: nobody is asked, and every answer is a line. */
async function inLines(
  lifecycle: Application['lifecycle'],
  { action, words, by, yes, dryRun }: SwitchRequest,
  say: (line: CommandLine) => void,
): Promise<number> {
  try {
    const onProgress = ({ sentence }: { sentence: Sentence }): void => say({ step: sentence });
    say({ plan: await lifecycle.run(action, words, { by, yes, dryRun, onProgress }) });
    return 0;
  } catch (error) {
    if (!(error instanceof PergolaError)) throw error;
    const problems = error instanceof BrokenAddons ? error.problems : [];
    say({ failed: { message: inEnglish({ text: error.message, params: error.params }), code: error.code, problems } });
    return 1;
  }
}

interface SwitchRequest {
  readonly action: SwitchAction;
  readonly words: readonly string[];
  readonly by: string;
  readonly yes: boolean;
  readonly dryRun: boolean;
}

/** Why a plan is empty. */
function nothingToDo({ action, names }: Plan): string {
  if (action === 'upgrade') return 'There is nothing to do: no addon’s code has another version than the database.';
  const state = action === 'enable' ? 'enabled' : 'not enabled';
  return `There is nothing to do: ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} ${state} already.`;
}

/** Prints what would happen; false when it cannot. */
export function showPlan(plan: Plan, io: CommandIo): boolean {
  const { addons, items, problems } = plan;
  if (addons.length === 0 && problems.length === 0) io.out(nothingToDo(plan));
  for (const { name, from, to, toVersion } of addons)
    io.out(`${name}: ${from} → ${to}${toVersion ? ` (${toVersion})` : ''}`);
  for (const item of items) io.out(`  ${inEnglish(item.sentence)}`);
  for (const problem of rootCauses(problems)) io.err(describeProblem(problem));
  return problems.length === 0;
}
