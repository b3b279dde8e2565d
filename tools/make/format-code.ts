import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { repository } from '@pergola/core';

/** Formats code files in an addon's folder like `npm run format`, and sorts their imports. */
export function formatCode(folder: string, files: readonly string[]): void {
  const biome = path.join(repository, 'node_modules/@biomejs/biome/bin/biome');
  const code = files.filter((file) => /\.tsx?$/.test(file));
  spawnSync(process.execPath, [biome, 'check', '--write', ...code], { cwd: folder });
}
