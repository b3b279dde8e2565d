import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { API, type Diagnostic } from 'typescript/unstable/sync';
import { addonRoots, repository } from '../../core/base/addon-folders.ts';
import type { Problem } from '../../core/base/errors.ts';
import { registerResolve } from '../../core/base/module-resolution.ts';
import { checkArguments } from './check-arguments.ts';
import { checkValues } from './check-values.ts';
import { writeTemplateTypes } from './needs.ts';
import { TemplateSources } from './sources.ts';

/**
 * Checks the addons of saved files as `npm run check` does: types, templates and promises that nothing awaits. Writes the types of all templates before.
 *
 * @param files absolute paths
 */
export async function checkSaved(files: readonly string[]): Promise<Problem[]> {
  const sources = await TemplateSources.read(addonRoots(process.env.ADDONS_PATH ?? ''));
  writeTemplateTypes(sources);
  const addons = [...sources.folders].filter(([, folder]) => files.some((file) => file.startsWith(folder + sep)));
  // The check loads the props of islands, in this process of its own.
  registerResolve([...sources.folders.values()]);
  const problems: Problem[] = [];
  for (const [addon, folder] of addons) {
    const own = join(folder, 'tsconfig.json');
    const config = existsSync(own) ? own : join(repository, 'tsconfig.json');
    const found = [
      ...typeFaults(config, folder),
      ...checkArguments(sources),
      ...(await checkValues(sources, [config])),
      ...floatingPromises(folder),
    ];
    for (const { file, line, message } of found) {
      const path = resolve(repository, file);
      if (path.startsWith(folder + sep)) problems.push({ addon, file: relative(folder, path), line, message });
    }
  }
  return problems;
}

interface Place {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

function typeFaults(config: string, folder: string): Place[] {
  const api = new API({ cwd: repository });
  try {
    using snapshot = api.updateSnapshot({ openProjects: [config] });
    const { program } = snapshot.getProjects()[0] ?? {};
    const own = program?.getSourceFileNames().filter((file) => file.startsWith(folder + sep)) ?? [];
    return own.flatMap((file) => {
      const source = program?.getSourceFile(file);
      const found = [
        ...(program?.getSyntacticDiagnostics(file) ?? []),
        ...(program?.getSemanticDiagnostics(file) ?? []),
      ];
      const places = found.map((fault) => ({
        file,
        line: (source?.getLineAndCharacterOfPosition(fault.pos).line ?? 0) + 1,
        message: said(fault),
      }));
      return places.filter(({ line }, index) => places.findIndex((place) => place.line === line) === index);
    });
  } finally {
    api.close();
  }
}

/** The reason at the end of a chain of types, which are of no help by themselves. */
function said({ text, messageChain = [] }: Diagnostic): string {
  const [deeper] = messageChain;
  return deeper ? said(deeper) : text;
}

interface LintReport {
  readonly diagnostics: readonly {
    readonly filename: string;
    readonly labels: readonly { readonly span: { readonly line: number } }[];
  }[];
}

function floatingPromises(folder: string): Place[] {
  const lint = join(repository, 'node_modules/oxlint/bin/oxlint');
  const options = ['--config', join(repository, '.oxlintrc.json'), '--format', 'json', '.'];
  const { stdout } = spawnSync(process.execPath, [lint, ...options], { cwd: folder, encoding: 'utf8' });
  const { diagnostics } = JSON.parse(stdout || '{"diagnostics":[]}') as LintReport;
  return diagnostics.map(({ filename, labels }) => ({
    file: resolve(folder, filename),
    line: labels[0]?.span.line ?? 1,
    message: 'This promise is not awaited, so what it does may be lost. Write await before it.',
  }));
}
