/** Exports for addons, under `pergola/pages`. */

export { valueFaults } from './check/written-values.ts';
export type { BlockDefinition, FragmentDefinition } from './define.ts';
export {
  type AddonHelper,
  choiceOption,
  countOption,
  escapeText,
  type HelperOptions,
  helper,
  helperFault,
  markup,
  renderOf,
  textOption,
} from './helpers/tools.ts';
export { pictureSet, pictureUrl } from './pictures.ts';
export { blocks, publicTemplates, templates } from './points.ts';
export type { RenderingRule } from './rendering.ts';
