// What other parts may import; README.md says what the part is for.

export {
  type BlockDefinition,
  block,
  type FragmentDefinition,
  fragment,
} from './define.ts';
export {
  blocks,
  checkTemplate,
  fragments,
  pagePoints,
  publicTemplates,
  rendering,
  templates,
} from './points.ts';
export { attributeAt, imageAddress, type RenderContext } from './render-context.ts';
export type { RenderingRule } from './rendering.ts';
export { TemplateError } from './templates.ts';
export { xmlText } from './xml.ts';
