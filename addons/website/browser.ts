/**
 * What browser code of other addons may use of website. Every page that uses one of these loads this file: what is large is reached through
 * a function that imports it when it is called.
 */
import type { ComponentType } from 'react';
import type { RichTextProps } from './editor/browser/rich-text.tsx';
import type { ImageCropProps } from './editor/browser/ui/image-crop.tsx';

export { type HiddenForm, submitHiddenForm } from './snippets/browser/hidden-form.ts';
export { reloadPage } from './snippets/browser/scroll-hash.ts';

/**
 * Components for islands, each loaded when it is first shown: `const RichText = lazy(richText)`. In forms without React the former is had by
 * `<textarea data-rich-text>`.
 */
export const richText = (): Promise<{ default: ComponentType<RichTextProps> }> =>
  import('./editor/browser/rich-text.tsx');
/** Cuts a picture to a shape before it is uploaded. */
export const imageCrop = (): Promise<{ default: ComponentType<ImageCropProps> }> =>
  import('./editor/browser/ui/image-crop.tsx');

export type { CropFields } from './editor/browser/crop.ts';
export type { Uploaded } from './editor/browser/media.ts';
export type { GuardedTool, RichTextProps } from './editor/browser/rich-text.tsx';
export type { ImageCropProps } from './editor/browser/ui/image-crop.tsx';
