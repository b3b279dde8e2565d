/** Fields with a list of what they may be; apart from the kit, since downshift comes along. */
export { Combobox } from './kit/combobox.tsx';
export { TagInput } from './kit/tag-input.tsx';
