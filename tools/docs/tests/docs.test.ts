import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repository } from '@pergola/core';

describe('npm run docs', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docs-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('builds guides and reference: every export has a doc comment, and no link leads nowhere', async () => {
    // Runs in a separate process, because Jest's loader ignores the hook by which TypeDoc finds its TypeScript.
    const [code, said] = await new Promise<[unknown, string]>((resolve) => {
      const args = [path.join(repository, 'tools/docs/main.ts'), folder];
      const env = { ...process.env, NO_COLOR: '1' };
      execFile(process.execPath, args, { cwd: repository, env }, (error, _, stderr) =>
        resolve([error?.code ?? 0, stderr]),
      );
    });
    expect([said, code]).toEqual(['Building the reference and the guides, about half a minute …\n', 0]);
    expect(readdirSync(path.join(folder, 'documents'))).toEqual(
      expect.arrayContaining(['Write_an_addon.html', 'Field_types.html', 'Template_helpers.html', 'Commands.html']),
    );
    expect(readdirSync(path.join(folder, 'assets'))).toContain('search.js');
  });
});
