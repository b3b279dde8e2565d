import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repository } from '@pergola/core';
import { typesFile } from '../templates/needs.ts';
import { addonsWithNeeds } from '../testing/addon-closure.ts';
import { named } from './named-types.ts';

/** Imports every declaration of a packed addon. */
const ALL = 'all.d.ts';

/** Result of writing an addon's types. */
export interface Declarations {
  /** Number of files with types. */
  readonly typedCount: number;
  /** Files without usable types, with instructions, one line each. */
  readonly faults: readonly string[];
}

/**
 * Writes type declarations for an addon's code next to its JavaScript, for addons that import it.
 *
 * @param folder the addon's folder, with its tsconfig.json
 * @param target folder of its JavaScript
 * @param code its TypeScript files, relative to the folder
 */
export function writeDeclarations(folder: string, target: string, code: readonly string[]): Declarations {
  const sources = path.join(folder, 'dist/source');
  // In the folder itself, so that the addon's packages and its neighbouring addons are resolved.
  const config = path.join(folder, '.tsconfig.pack.json');
  const out = path.join(folder, 'dist/types');
  try {
    for (const file of code) {
      mkdirSync(path.dirname(path.join(sources, file)), { recursive: true });
      const text = readFileSync(path.join(folder, file), 'utf8');
      writeFileSync(path.join(sources, file), file.endsWith('x') ? text : named(text));
    }
    writeFileSync(
      config,
      JSON.stringify(
        configOf(
          folder,
          code.map((file) => path.join(sources, file)),
          out,
        ),
      ),
    );
    const compiler = path.join(repository, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '--pretty', 'false', '--project', config], {
      cwd: folder,
      encoding: 'utf8',
    });
    const faults: string[] = [];
    const declarations: string[] = [];
    for (const file of code) {
      const declaration = file.replace(/\.tsx?$/, '.d.ts');
      const place = path.join(out, path.relative(path.parse(folder).root, sources), declaration);
      const foreign = existsSync(place) ? foreignImport(readFileSync(place, 'utf8'), declaration) : null;
      if (!existsSync(place)) {
        const reason = stdout.split('\n').find((line) => line.includes(`source/${file}(`));
        faults.push(
          `${file} has no types${reason ? `: ${reason.replace(/^.*?: error /, '')}` : '.'} Add a type to its exports.`,
        );
      } else if (foreign) {
        faults.push(
          `${file}: an exported type comes from ${foreign}, which other addons can't import. Define the type in the addon.`,
        );
      } else {
        cpSync(place, path.join(target, declaration));
        declarations.push(declaration);
      }
    }
    joinDeclarations(target, declarations);
    return { typedCount: declarations.length, faults };
  } finally {
    for (const draft of [sources, out, config]) rmSync(draft, { recursive: true, force: true });
  }
}

/** Compiler options that only emit types. Errors in the code are reported by `check`. */
function configOf(folder: string, code: readonly string[], out: string): object {
  // Declarations are emitted for every included file; for all addons of the repository that takes half a minute.
  const neededFiles = [...addonsWithNeeds([path.basename(folder)], [folder]).values()]
    .filter((addon) => addon !== folder)
    .flatMap((addon) => ['addon.ts', 'addon.d.ts'].map((file) => path.join(addon, file)))
    .filter((file) => existsSync(file));
  return {
    extends: path.join(folder, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      noCheck: true,
      declaration: true,
      emitDeclarationOnly: true,
      noEmitOnError: false,
      outDir: out,
      rootDir: path.parse(folder).root,
    },
    files: code,
    include: [
      ...['server.ts', 'core', 'packages'].map((name) => path.join(repository, name)),
      path.join(folder, typesFile),
      ...neededFiles,
    ],
    exclude: ['core', 'packages', 'addons'].map((name) => path.join(repository, name, '**/tests')),
  };
}

/** Makes each declaration import all others, because fields refer to models of other files by name without importing them. */
function joinDeclarations(target: string, declarations: readonly string[]): void {
  const imports = declarations.map(
    (file) => `import './${file.replaceAll(path.sep, '/').replace(/\.d\.ts$/, '.js')}';\n`,
  );
  writeFileSync(path.join(target, ALL), imports.join(''));
  for (const file of declarations) {
    const place = path.join(target, file);
    const all = path.relative(path.dirname(place), path.join(target, ALL)).replaceAll(path.sep, '/');
    writeFileSync(place, `/// <reference path="${all}" />\n${readFileSync(place, 'utf8')}`);
  }
}

/** A file outside the addon that a declaration imports by path, or null. */
function foreignImport(text: string, file: string): string | null {
  for (const [, specifier = ''] of text.matchAll(/(?:from |import\()["'](\.[^"']*)["']/g)) {
    const inside = path.posix.join(path.posix.dirname(file.replaceAll(path.sep, '/')), specifier);
    if (inside.startsWith('../')) return inside;
  }
  return null;
}
