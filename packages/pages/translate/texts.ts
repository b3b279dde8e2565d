import { checkHandlebars } from '../check/handlebars.ts';
import { helperRules } from '../helpers/index.ts';
import { readPatchFile } from '../patch/patch-file.ts';
import { parseSource } from '../source/source.ts';
import { type TranslatableText, translatable, translatableTexts } from './translate.ts';

/** A template text for translators, with its line in the file. */
export interface TemplateText extends TranslatableText {
  readonly line: number;
}

/** All translatable texts of a template, in order. Throws a SourceError for a source that can't be parsed. */
export function textsOfTemplate(source: string): TemplateText[] {
  return textsOf(source, 1);
}

/** All translatable texts of a patch file, in order. */
export function textsOfPatch(source: string): TemplateText[] {
  const { changes } = readPatchFile({ addon: '', target: '', file: '', source });
  return changes.flatMap(({ content, contentLine }) => textsOf(content, contentLine));
}

/** Addons' helpers don't matter here: the texts they print are passed to them as `(t "…")`. */
function textsOf(source: string, firstLine: number): TemplateText[] {
  const parsed = parseSource(source);
  const { calls } = checkHandlebars(source, helperRules(), true);
  return translatableTexts(translatable(parsed, calls)).map((text) => ({
    ...text,
    line: firstLine - 1 + parsed.lineAt(text.offset),
  }));
}
