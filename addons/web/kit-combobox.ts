/** Inputs with suggestions. Separate from the kit because they include downshift. */
export { Combobox } from './kit/combobox.tsx';
export { TagInput } from './kit/tag-input.tsx';
