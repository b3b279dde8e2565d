import { spawn } from 'node:child_process';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { BrokenAddons, Conflict, listAddonFolders, type Problem, repository } from '../base/index.ts';
import {
  type AddonStatus,
  changedSince,
  codeStamp,
  type FreshProcess,
  type Plan,
  type Sentence,
  sentence,
} from '../kernel/index.ts';

/** A line that a command says to the program that started it (`--json`). */
export type CommandLine =
  | { readonly plan: Plan }
  | { readonly step: Sentence }
  | { readonly failed: { readonly message: string; readonly code: string; readonly problems: readonly Problem[] } };

/** How long a command may take, in ms. */
const PATIENCE_MS = 600_000;

/**
 * @param roots where addons are looked for
 * @param replace asks for a fresh process in the place of this one
 */
export function createFreshProcess(roots: readonly string[], replace: () => void): FreshProcess {
  const loadedAt = Date.now();
  let listed: { readonly stamp: number; readonly addons: Promise<readonly AddonStatus[]> } | null = null;
  return {
    async changed() {
      const folders = listAddonFolders(roots).map((folder) => ({ name: basename(folder), folder }));
      return new Set(await changedSince(folders, loadedAt));
    },
    async list() {
      const stamp = await codeStamp(roots);
      if (listed?.stamp !== stamp) {
        const addons = say(['list', '--json']).then((lines) => JSON.parse(lines.join('\n')) as AddonStatus[]);
        listed = { stamp, addons };
        // Whoever asks next tries again.
        addons.catch(() => {
          listed = null;
        });
      }
      return listed.addons;
    },
    plan: (action, names) => command([action, ...names, '--plan', '--json']),
    async run(action, names, { by, onStep }) {
      const asked = [action, ...names, '--yes', '--json', ...(by ? ['--by', by] : [])];
      const plan = await command(asked, onStep);
      onStep?.(sentence('Starting a new process'));
      replace();
      return plan;
    },
  };
}

/** Runs a command that speaks in lines of JSON, and answers the plan it made. */
async function command(words: readonly string[], onStep?: (step: Sentence) => void): Promise<Plan> {
  let plan: Plan | null = null;
  let failed: Extract<CommandLine, { failed: unknown }>['failed'] | null = null;
  await say(words, (text) => {
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

/** Runs `pergola …` beside this process; answers its lines. What ends badly without a line of its own is thrown with what it complained of. */
async function say(words: readonly string[], onLine?: (line: string) => void): Promise<readonly string[]> {
  const { PERGOLA_TAKES_OVER: _, ...env } = process.env;
  const child = spawn(process.execPath, [...process.execArgv, join(repository, 'bin/pergola.js'), ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
  });
  const lines: string[] = [];
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk}`.slice(-4000);
  });
  const closed = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  for await (const line of createInterface({ input: child.stdout })) {
    // Warnings of the log stand between the lines.
    if (onLine && !/^\{"(plan|step|failed)":/.test(line)) continue;
    lines.push(line);
    onLine?.(line);
  }
  const code = await closed;
  if (lines.length === 0) throw new Error(complaint.trim() || `The command ended with ${code}.`);
  return lines;
}
