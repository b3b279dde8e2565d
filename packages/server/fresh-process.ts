import { spawn } from 'node:child_process';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  type AddonStatus,
  BrokenAddons,
  Conflict,
  changedSince,
  codeStamp,
  type FreshProcess,
  listAddonFolders,
  type Plan,
  type Problem,
  repository,
  type Sentence,
  sentence,
} from '@pergola/core';

/** A line of a command's `--json` output, for the program that started it. */
export type CommandLine =
  | { readonly plan: Plan }
  | { readonly step: Sentence }
  | { readonly failed: { readonly message: string; readonly code: string; readonly problems: readonly Problem[] } };

/** Maximum duration of a command, in ms. */
const PATIENCE_MS = 600_000;

/**
 * Runs commands in fresh processes, which load the current code.
 *
 * @param roots folders to search for addons
 * @param replace requests a fresh process in place of this one
 */
export function createFreshProcess(roots: readonly string[], replace: () => void): FreshProcess {
  const loadedAt = Date.now();
  let cachedList: { readonly stamp: number; readonly addons: Promise<readonly AddonStatus[]> } | null = null;
  return {
    async changed() {
      const folders = listAddonFolders(roots).map((folder) => ({ name: basename(folder), folder }));
      return new Set(await changedSince(folders, loadedAt));
    },
    async list() {
      const stamp = await codeStamp(roots);
      if (cachedList?.stamp !== stamp) {
        const addons = runPergola(['list', '--json']).then((lines) => JSON.parse(lines.join('\n')) as AddonStatus[]);
        cachedList = { stamp, addons };
        // Retry on the next call.
        addons.catch(() => {
          cachedList = null;
        });
      }
      return cachedList.addons;
    },
    plan: (action, names, consent) => {
      const agreed = consent?.digests.flatMap((digest) => ['--digest', digest]) ?? [];
      return runForPlan([action, ...names, '--plan', '--json', ...agreed, ...(consent ? ['--by', consent.by] : [])]);
    },
    async run(action, names, { by, rehearsed, onStep }) {
      const words = [
        action,
        ...names,
        '--yes',
        '--json',
        ...(by ? ['--by', by] : []),
        ...(rehearsed ? ['--rehearsed', rehearsed] : []),
      ];
      const plan = await runForPlan(words, onStep);
      onStep?.(sentence('Starting a new process'));
      replace();
      return plan;
    },
  };
}

/** Runs a command with JSON output and returns its plan. */
async function runForPlan(words: readonly string[], onStep?: (step: Sentence) => void): Promise<Plan> {
  let plan: Plan | null = null;
  let failed: Extract<CommandLine, { failed: unknown }>['failed'] | null = null;
  await runPergola(words, (text) => {
    const line = JSON.parse(text) as CommandLine;
    if ('plan' in line) plan = line.plan;
    else if ('step' in line) onStep?.(line.step);
    else failed = line.failed;
  });
  return outcome(plan, failed);
}

function outcome(plan: Plan | null, failed: { message: string; code: string; problems: readonly Problem[] } | null) {
  if (failed && failed.problems.length > 0) throw new BrokenAddons(failed.problems);
  if (failed) throw new Conflict(failed.message, { code: failed.code });
  if (!plan) throw new Error('The command ended without an answer.');
  return plan;
}

/** Runs `pergola …` as a child process and returns its output lines. Throws its error output if it printed none. */
async function runPergola(words: readonly string[], onLine?: (line: string) => void): Promise<readonly string[]> {
  const { PERGOLA_TAKES_OVER: _, ...env } = process.env;
  const child = spawn(process.execPath, [...process.execArgv, join(repository, 'bin/pergola.js'), ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
  });
  const lines: string[] = [];
  let errorOutput = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errorOutput = `${errorOutput}${chunk}`.slice(-4000);
  });
  const closed = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  for await (const line of createInterface({ input: child.stdout })) {
    // Log warnings may appear between the lines.
    if (onLine && !/^\{"(plan|step|failed)":/.test(line)) continue;
    lines.push(line);
    onLine?.(line);
  }
  const code = await closed;
  if (lines.length === 0) throw new Error(errorOutput.trim() || `The command ended with ${code}.`);
  return lines;
}
