import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { repository } from '@pergola/core';
import { z } from 'zod';
import type { Fault } from './sources.ts';

const report = z.object({
  diagnostics: z.array(
    z.object({
      filename: z.string(),
      code: z.string().optional(),
      message: z.string(),
      labels: z.array(z.object({ span: z.object({ line: z.number(), column: z.number() }) })),
    }),
  ),
});

/**
 * Finds promises in a folder's code that aren't awaited.
 *
 * @throws Error if the check couldn't run
 */
export async function floatingPromises(folder: string): Promise<Fault[]> {
  const lint = join(repository, 'node_modules/oxlint/bin/oxlint');
  const options = ['--config', join(repository, '.oxlintrc.json'), '--format', 'json', '.'];
  // oxlint finds its type-aware companion through PATH.
  const PATH = `${join(repository, 'node_modules/.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`;
  const { promise, resolve: settle } = Promise.withResolvers<{ stdout: string; stderr: string }>();
  const env = { ...process.env, PATH };
  // oxlint exits with 1 if it has findings.
  execFile(process.execPath, [lint, ...options], { cwd: folder, env, maxBuffer: 2 ** 26 }, (_error, stdout, stderr) =>
    settle({ stdout, stderr }),
  );
  const { stdout, stderr } = await promise;
  const parsed = report.safeParse(jsonOf(stdout));
  if (!parsed.success) throw new Error(`Promises in ${folder} could not be checked:\n${stderr || stdout}`);
  return parsed.data.diagnostics.map(({ filename, code, message, labels }) => ({
    file: resolve(folder, filename),
    line: labels[0]?.span.line ?? 1,
    message: code?.includes('no-floating-promises')
      ? 'This promise is not awaited, so its effects may be lost. Put await before it.'
      : message,
  }));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
