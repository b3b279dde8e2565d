// Public API of the package; see README.md for its purpose.

export { type EditedFault, sampleOf, type Vocabulary } from './check/edited.ts';
export { valueFaults } from './check/written-values.ts';
export {
  type BlockDefinition,
  block,
  type FragmentDefinition,
  fragment,
  type TemplateName,
  type Templates,
  type TemplateValues,
  type WithValues,
} from './define.ts';
export { pagesPart } from './part.ts';
export { pictureSet, pictureUrl } from './pictures.ts';
export {
  blocks,
  checkTemplate,
  fragments,
  publicTemplates,
  rendering,
  templates,
} from './points.ts';
export { attributeAt, type RenderContext } from './render-context.ts';
export type { RenderingRule } from './rendering.ts';
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
