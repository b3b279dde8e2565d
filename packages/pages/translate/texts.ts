import { checkHandlebars } from '../check/handlebars.ts';
import type { HelperRules } from '../helpers/rules.ts';
import { readPatchFile } from '../patch/patch-file.ts';
import { parseSource } from '../source/source.ts';
import { type TranslatableText, translatable, translatableTexts } from './translate.ts';

/** A template text for translators, with its line in the file. */
export interface TemplateText extends TranslatableText {
  readonly line: number;
}

/** All translatable texts of a template, in order. Throws a SourceError for a source that can't be parsed. */
export function textsOfTemplate(source: string, helpers: HelperRules): TemplateText[] {
  return textsOf(source, 1, helpers);
}

/** All translatable texts of a patch file, in order. */
export function textsOfPatch(source: string, helpers: HelperRules): TemplateText[] {
  const { changes } = readPatchFile({ addon: '', target: '', file: '', source });
  return changes.flatMap(({ content, contentLine }) => textsOf(content, contentLine, helpers));
}

function textsOf(source: string, firstLine: number, helpers: HelperRules): TemplateText[] {
  const parsed = parseSource(source);
  const { calls } = checkHandlebars(source, helpers, true);
  return translatableTexts(translatable(parsed, calls)).map((text) => ({
    ...text,
    line: firstLine - 1 + parsed.lineAt(text.offset),
  }));
}
