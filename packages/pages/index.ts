// Public API of the package; see README.md for its purpose.

export type { PlannedChange } from './build.ts';
export { type EditedFault, sampleOf, type Vocabulary } from './check/edited.ts';
export { block, fragment, type TemplateName, type Templates, type TemplateValues, type WithValues } from './define.ts';
export { pagesPart } from './part.ts';
export { checkTemplate, fragments, rendering } from './points.ts';
export * from './public.ts';
export { attributeAt, type RenderContext } from './render-context.ts';
export { TemplateError } from './templates.ts';
export { xmlText } from './xml.ts';

// For tools.

export { planTemplates, type TemplatePlan } from './build.ts';
export { coreHelpers, helperRules } from './helpers/index.ts';
export { builtinRules, type HelperRule } from './helpers/rules.ts';
export { readTemplates } from './read-templates.ts';
export { type Mustache, maskMustaches } from './source/mustaches.ts';
export { attributesOf, type ParsedSource, parseSource } from './source/source.ts';
export { type BlockPiece, type Content, type ElementPiece, type Piece, treeOf } from './source/tree.ts';
export { type Flow, flowOf, withoutIndentation } from './source/whitespace.ts';
export { type TemplateText, textsOfPatch, textsOfTemplate } from './translate/texts.ts';
