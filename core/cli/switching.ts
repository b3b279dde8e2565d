import { inEnglish, type Plan, type SwitchAction } from '../addon/plan.ts';
import { describeProblem } from '../errors.ts';
import type { Command, CommandIo } from './command.ts';
import { withKernel } from './with-kernel.ts';

/** A command that switches addons: shows the plan, asks where somebody should know more, does it, and says how it ended. */
export function switchCommand(action: Exclude<SwitchAction, 'uninstall'>, summary: string, least = 1): Command {
  return {
    summary,
    usage: `${least > 0 ? '<addon>…' : '[<addon>…]'} [--yes] [--dry-run]`,
    options: { yes: { type: 'boolean' }, 'dry-run': { type: 'boolean' } },
    least,
    run: ({ words, options, io }) =>
      withKernel(async ({ lifecycle }) => {
        const plan = await lifecycle.plan(action, words);
        if (!showPlan(plan, io)) return 1;
        if (plan.addons.length === 0 || options['dry-run']) return 0;
        const yes = options.yes === true || (plan.needsYes && (await io.confirm('Go on?')));
        if (plan.needsYes && !yes) {
          io.err('Nothing was changed. Say --yes to agree.');
          return 1;
        }
        await lifecycle.run(action, words, {
          by: 'command line',
          yes,
          onProgress: ({ sentence }) => io.out(`… ${inEnglish(sentence)}`),
        });
        return 0;
      }),
  };
}

/** Prints what would happen; false when it cannot. */
export function showPlan({ addons, items, problems }: Plan, io: CommandIo): boolean {
  if (addons.length === 0 && problems.length === 0) io.out('There is nothing to do.');
  for (const { name, from, to, toVersion } of addons)
    io.out(`${name}: ${from} → ${to}${toVersion ? ` (${toVersion})` : ''}`);
  for (const item of items) io.out(`  ${inEnglish(item.sentence)}`);
  for (const problem of problems) io.err(describeProblem(problem));
  return problems.length === 0;
}
