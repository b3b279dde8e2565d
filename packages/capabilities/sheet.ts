import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { NotFound, readManifest, sentence } from '@pergola/core';
import type { Node } from 'oxc-parser';
import { ModelNames, readAddonFiles } from './addon-code.ts';
import { type Capability, CapabilityList } from './capability.ts';
import type { CodeFile } from './code-file.ts';
import { constantText } from './constants.ts';
import { readMarkup } from './markup.ts';
import { readPackages } from './packages.ts';
import { database } from './rules/database.ts';
import { declarations } from './rules/declarations.ts';
import { prototypes } from './rules/prototypes.ts';
import { type AddonFacts, applyRules, type Rule } from './rules/rule.ts';
import { runtime } from './rules/runtime.ts';
import { isCall } from './syntax.ts';

/** Capabilities of an addon's code. */
export interface CapabilitySheet {
  /** Name of the addon. */
  readonly addon: string;
  /** Empty if it can't be read without running the code. */
  readonly version: string;
  /** Highest risk first. */
  readonly capabilities: readonly Capability[];
}

const rules: readonly Rule[] = [runtime, prototypes, database, declarations];

/**
 * Derives what an addon can do from its source, its templates and its packages. Runs none of its code.
 *
 * @param path folder with `addon.ts` or `addon.js`
 * @param roots folders with the addons it may import, see `addonRoots`
 * @throws NotFound if there is no addon in the folder
 */
export function readSheet(path: string, roots: readonly string[]): CapabilitySheet {
  const folder = realpathSync(path);
  const files = readAddonFiles(folder);
  if (!files.manifest && files.unreadable.every(({ file }) => !/^addon\.[jt]s$/.test(file)))
    throw new NotFound(`There is no addon in ${path}. Name a folder with addon.ts or addon.js.`);
  const written = files.manifest ? readManifest(folder, files.manifest.file).values : {};
  const [name, version] = [written.name, written.version].map((value) => (typeof value === 'string' ? value : ''));
  const list = new CapabilityList();
  const names = new ModelNames(roots, files.code);
  const facts: AddonFacts = {
    name: name || basename(folder),
    folder,
    models: declaredModels(files.code),
    modelName: (importer, module, exported) => names.of(importer, module, exported),
  };
  for (const { file, line, reason } of files.unreadable) list.add('code', reason, 'high', { file, line });
  if (!name || !version)
    list.add('code', sentence('Has a name or version that can’t be read without running it'), 'high', {
      file: files.manifest?.file ?? 'addon.ts',
      line: 1,
    });
  for (const code of files.code)
    applyRules(rules, {
      addon: facts,
      code,
      report: (node, kind, what, risk) => list.add(kind, what, risk, { file: code.file, line: code.lineOf(node) }),
    });
  readMarkup(folder, files.markup, list);
  readPackages(folder, facts, list);
  return { addon: facts.name, version: version ?? '', capabilities: list.sorted() };
}

function declaredModels(files: readonly CodeFile[]): ReadonlySet<string> {
  return new Set(
    files.flatMap((code) =>
      code.nodes.flatMap((node) =>
        isCall(node) && node.callee.type === 'Identifier' && node.callee.name === 'model'
          ? (constantText(code, node.arguments[0] as Node) ?? [])
          : [],
      ),
    ),
  );
}
