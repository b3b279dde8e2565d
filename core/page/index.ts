// What other parts may import; README.md says what the part is for.

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
export { pictureSet, pictureUrl } from './pictures.ts';
export {
  blocks,
  checkTemplate,
  fragments,
  pagePoints,
  publicTemplates,
  rendering,
  templates,
} from './points.ts';
export { attributeAt, type RenderContext } from './render-context.ts';
export type { RenderingRule } from './rendering.ts';
export { TemplateError } from './templates.ts';
export { xmlText } from './xml.ts';
