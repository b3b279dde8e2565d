/**
 * Browser exports for other addons. Every page that uses one of them loads this file, so large modules are imported by functions when
 * called.
 */
import type { ComponentType } from 'react';
import type { RichTextProps } from './editor/browser/rich-text.tsx';
import type { ImageCropProps } from './editor/browser/ui/image-crop.tsx';

export { type HiddenForm, submitHiddenForm } from './snippets/browser/hidden-form.ts';
export { reloadPage } from './snippets/browser/scroll-hash.ts';

/**
 * Components for islands, loaded when first rendered: `const RichText = lazy(richText)`. Forms without React can use `<textarea
 * data-rich-text>` instead.
 */
export const richText = (): Promise<{ default: ComponentType<RichTextProps> }> =>
  import('./editor/browser/rich-text.tsx');
/** Crops an image before upload. */
export const imageCrop = (): Promise<{ default: ComponentType<ImageCropProps> }> =>
  import('./editor/browser/ui/image-crop.tsx');

export type { CropFields } from './editor/browser/crop.ts';
export type { Uploaded } from './editor/browser/media.ts';
export type { GuardedTool, RichTextProps } from './editor/browser/rich-text.tsx';
export type { ImageCropProps } from './editor/browser/ui/image-crop.tsx';
