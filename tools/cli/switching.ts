import { type NodeInfo, nodes } from '@pergola/cluster';
import type {
  Application,
  CodeReview,
  Command,
  CommandIo,
  Plan,
  PlanItem,
  SwitchAction,
  SwitchOptions,
  SwitchProgress,
} from '@pergola/core';
import { BrokenAddons, describeProblem, inEnglish, PergolaError, rootCauses } from '@pergola/core';
import type { CommandLine } from '@pergola/server';
import { awaitNodes } from './await-nodes.ts';
import { capabilityLines, sheetLines } from './sheet-lines.ts';
import { withApplication } from './with-application.ts';

/**
 * A command that switches addons: prints the plan, asks for confirmation if other addons are affected, applies it, and prints the result.
 * `--plan` only prints the plan; `--dry-run` also applies it in a transaction that is rolled back. `--json` is for programs, which read
 * lines (`CommandLine`); `--by` names the user they act for.
 */
function switchCommand(action: Exclude<SwitchAction, 'uninstall'>, summary: string, minWords = 1): Command {
  const loads = action !== 'disable';
  return {
    summary,
    usage: `${minWords > 0 ? '<addon>…' : '[<addon>…]'} [--yes]${loads ? ' [--consent]' : ''} [--dry-run | --plan] [--rehearsed <fingerprint>] [--json] [--by <login>]`,
    options: {
      yes: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      plan: { type: 'boolean' },
      json: { type: 'boolean' },
      by: { type: 'string' },
      rehearsed: { type: 'string' },
      ...(loads && { consent: { type: 'boolean' }, digest: { type: 'string', multiple: true } }),
    },
    details: [
      ...(action === 'disable'
        ? [
            'Asks for confirmation before it also disables addons that depend on these. Without a terminal (in a script, or with',
            '</dev/null) it changes nothing and exits with 1, unless --yes is given.',
          ]
        : [
            'Asks for no confirmation, so it needs neither a terminal nor --yes. Only code from ADDONS_PATH that can do something an',
            'administrator should read first is asked about. Without a terminal, code that can do more than was agreed to before needs',
            '--consent; naming an addon to enable agrees to its code. `pergola sheet` shows all that code can do.',
          ]),
      '',
      '  --yes        confirms everything without asking, except code',
      ...(loads ? ['  --consent    agrees to what the code can do, and records that in the log'] : []),
      '  --plan       only prints what would happen',
      '  --dry-run    applies everything in a transaction that is rolled back, to show errors too',
      '  --rehearsed <fingerprint>  changes nothing if anything has changed since that rehearsal',
      '  --json       prints a line of JSON for each step, for programs',
      '  --by <login> user to record in the log',
      '',
      'Exit code 0: done, or nothing to do. 1: refused, nothing was changed. 2: invalid arguments.',
    ],
    least: minWords,
    async run({ words, options, io }) {
      const rehearse = options['dry-run'] === true;
      const dryRun = rehearse || options.plan === true;
      // New addons are often enabled before the first start.
      const creates = action === 'enable' && !dryRun ? io : undefined;
      return withApplication(
        async (application, { isNew }) => {
          const { lifecycle } = application;
          const rehearsed = typeof options.rehearsed === 'string' ? options.rehearsed : undefined;
          const login = typeof options.by === 'string' ? options.by : 'command line';
          if (options.json === true) {
            const digests = (Array.isArray(options.digest) ? options.digest : []).map(String);
            const consent = { digests, by: login };
            const request = {
              action,
              words,
              by: login,
              yes: options.yes === true,
              dryRun,
              rehearse,
              rehearsed,
              consent,
            };
            return runForProgram(lifecycle, request, (line) => io.out(JSON.stringify(line)));
          }
          let plan = await lifecycle.run(action, words, { dryRun: true, rehearse });
          if (plan.reviews.length > 0) {
            for (const line of plan.reviews.flatMap(reviewLines)) io.out(line);
            if (dryRun && options.consent !== true) {
              io.out('\nThe rest of the plan needs the code to run. Add --consent to agree to that.');
              return 0;
            }
            if (!(await mayRun(plan.reviews, options.consent === true, io))) return 1;
            const consent = { digests: plan.reviews.map(({ digest }) => digest), by: login };
            plan = await lifecycle.run(action, words, { dryRun: true, rehearse, consent });
          }
          if (!showPlan(plan, io, isNew ? `The new site works without ${words.join(', ')}.` : undefined)) return 1;
          if (rehearse && plan.addons.length > 0)
            io.out('Success: all of this was applied in a transaction and rolled back.');
          if (plan.addons.length === 0 || dryRun) return reportLeftOut(lifecycle, action, io);
          const yes = options.yes === true || (plan.needsYes && (await io.confirm('Go on?')));
          if (plan.needsYes && !yes) {
            const dependants = plan.addons.filter(({ reason }) => reason === 'dependant').map(({ name }) => name);
            io.err(`Nothing was changed: ${dependants.join(', ')} would be disabled too. Add --yes to confirm.`);
            return 1;
          }
          await lifecycle.run(action, words, {
            by: login,
            yes,
            rehearsed,
            onProgress: ({ step, sentence }) => step !== 'done' && io.out(`… ${inEnglish(sentence)}`),
          });
          await reportServed(application, io);
          return reportLeftOut(lifecycle, action, io);
        },
        { ...(creates && { creates }) },
      );
    },
  };
}

/** New capabilities of an addon's code, without those of low risk. */
function reviewLines({ addon, version, consentedVersion, added, removed }: CodeReview): string[] {
  const title =
    consentedVersion === null
      ? `The code of ${addon} ${version} comes from ADDONS_PATH.`
      : `The code of ${addon} ${version} can do more than was agreed to for ${consentedVersion}.`;
  return [
    title,
    ...sheetLines(added.filter(({ risk }) => risk !== 'low')),
    ...capabilityLines('Can no longer', removed),
  ];
}

/**
 * Whether the code under review may run: on the command line, only what should be read first needs an answer. Without a terminal, naming an
 * addon to enable agrees to its code, but not to what a later version adds.
 */
async function mayRun(reviews: readonly CodeReview[], consents: boolean, io: CommandIo): Promise<boolean> {
  const serious = reviews
    .filter(({ added }) => added.some(({ risk }) => risk === 'high'))
    .filter(({ consentedVersion }) => io.interactive || consentedVersion !== null)
    .map(({ addon }) => addon);
  if (consents || serious.length === 0 || (await io.confirm('\nLet this code run?'))) return true;
  io.err(
    `Nothing was changed, and the code of ${serious.join(', ')} didn't run. Read the list, then add --consent to agree.`,
  );
  return false;
}

/** Waits until the running servers serve the change, and reports it or the ones that don't. */
async function reportServed(application: Application, io: CommandIo): Promise<void> {
  if (!application.ready) return;
  const outdatedNodes = await awaitNodes(application.get(nodes), application.generation.number, {
    onWait: (waiting) => io.out(`… Waiting for the running server to apply it (${processesOf(waiting)})`),
  });
  if (outdatedNodes.length === 0) io.out('… Done');
  else
    io.err(
      `The change is saved, but the running server doesn't serve it yet (${processesOf(outdatedNodes)}). Check its log, and restart it if necessary.`,
    );
}

function processesOf(outdatedNodes: readonly NodeInfo[]): string {
  return outdatedNodes.map(({ host, pid }) => `process ${pid} on ${host}`).join(', ');
}

/** After an upgrade, prints the problems of enabled addons that couldn't be loaded. Returns the exit code. */
function reportLeftOut({ leftOut }: Application['lifecycle'], action: SwitchAction, io: CommandIo): number {
  const problems = action === 'upgrade' ? [...leftOut.values()].flat() : [];
  for (const problem of rootCauses(problems)) io.err(describeProblem(problem));
  return problems.length > 0 ? 1 : 0;
}

export const enable = switchCommand('enable', 'Enables addons and their dependencies');
export const disable = switchCommand('disable', 'Disables addons and keeps their data');
export const upgrade = switchCommand(
  'upgrade',
  'Upgrades addons to the version on disk; without names, all outdated ones',
  0,
);

/** Variant for programs: no confirmation, and each reply is a JSON line. */
async function runForProgram(
  lifecycle: Application['lifecycle'],
  { action, words, ...options }: SwitchRequest,
  say: (line: CommandLine) => void,
): Promise<number> {
  try {
    // The calling server replaces its process itself, and reports when that is done.
    const onProgress = ({ step, sentence }: SwitchProgress): void => {
      if (step !== 'done') say({ step: sentence });
    };
    say({ plan: await lifecycle.run(action, words, { ...options, onProgress }) });
    return 0;
  } catch (error) {
    if (!(error instanceof PergolaError)) throw error;
    const problems = error instanceof BrokenAddons ? error.problems : [];
    say({ failed: { message: inEnglish({ text: error.message, params: error.params }), code: error.code, problems } });
    return 1;
  }
}

interface SwitchRequest
  extends Required<Pick<SwitchOptions, 'by' | 'yes' | 'dryRun' | 'rehearse' | 'consent'>>,
    Pick<SwitchOptions, 'rehearsed'> {
  readonly action: SwitchAction;
  readonly words: readonly string[];
}

/** Reason for an empty plan. */
function nothingToDo({ action, names }: Plan): string {
  if (action === 'upgrade') return 'Nothing to do: all addons are up to date.';
  const state = action === 'enable' ? 'enabled' : 'not enabled';
  return `Nothing to do: ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} already ${state}.`;
}

/** `Open orders: 3 (1208.00 EUR)` */
function itemText({ topic, sentence, data }: PlanItem): string {
  const text = inEnglish(sentence);
  if (topic !== 'consequence' || data.count === null) return text;
  const amounts = Array.isArray(data.amounts) && data.amounts.length > 0 ? ` (${data.amounts.join(', ')})` : '';
  return `${text}: ${data.count}${amounts}`;
}

/**
 * Prints a plan, or only the problems that prevent it. Returns whether it can be carried out.
 *
 * @param unchanged the state after a plan with problems
 */
export function showPlan(plan: Plan, io: CommandIo, unchanged = 'Nothing was changed.'): boolean {
  const { addons, items, problems } = plan;
  if (problems.length > 0) {
    for (const problem of rootCauses(problems)) io.err(describeProblem(problem));
    io.err(unchanged);
    return false;
  }
  if (addons.length === 0) io.out(nothingToDo(plan));
  for (const { name, from, to, fromVersion, toVersion } of addons) {
    const previousVersion = fromVersion !== null && fromVersion !== toVersion ? ` (${fromVersion})` : '';
    const kept = to === 'disabled' ? '; its data is kept' : '';
    io.out(`${name}: ${from}${previousVersion} → ${to}${toVersion ? ` (${toVersion})` : ''}${kept}`);
  }
  for (const item of items) io.out(`  ${itemText(item)}`);
  return true;
}
