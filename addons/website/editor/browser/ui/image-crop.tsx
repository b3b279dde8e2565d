import { Picture } from '@pergola/web/kit';
import { t } from 'pergola/browser';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import ReactCrop from 'react-image-crop';
import { type CropFields, cropFields, firstCrop, nudged, photoAspect, resized, type ShownCrop } from '../crop.ts';

/** Props of the image cropper. */
export interface ImageCropProps {
  /** URL of the image: a newly selected file (`blob:`) or an image of this site. */
  readonly src: string;
  /** Aspect ratio of the crop (width / height). Default 5:3. */
  readonly aspect?: number;
  /** Called with the crop area in pixels of the image; null without a selection. */
  onChange(crop: CropFields | null): void;
}

/** Selects a crop area with pointer, touch or arrow keys. */
export default function ImageCrop({ src, aspect = photoAspect, onChange }: ImageCropProps) {
  const image = useRef<HTMLImageElement>(null);
  const [crop, setCrop] = useState<ShownCrop | null>(null);
  const tell = useRef(onChange);
  tell.current = onChange;

  const choose = (next: ShownCrop): void => {
    setCrop(next);
    const element = image.current;
    tell.current(element && element.width > 0 ? cropFields(next, element.naturalWidth / element.width) : null);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new image resets the selection
  useEffect(() => setCrop(null), [src]);

  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const element = image.current;
    const target = event.target as HTMLElement;
    if (!element || !crop || !target.closest('.ReactCrop__crop-selection')) return;
    const isHandle = target.classList.contains('ReactCrop__drag-handle');
    const next = (isHandle ? resized : nudged)(crop, event.key, element);
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    choose(next);
  };

  return (
    <div className="image-crop" onKeyDownCapture={press}>
      <ReactCrop
        aspect={aspect}
        crop={crop ? { unit: 'px', ...crop } : undefined}
        ruleOfThirds
        ariaLabels={cropLabels()}
        onChange={choose}
      >
        <Picture
          loading="eager"
          ref={image}
          src={src}
          alt={t('Image to crop')}
          onLoad={({ currentTarget: { width, height } }) => choose(firstCrop(width, height, aspect))}
        />
      </ReactCrop>
      <p className="form-text">
        {t(
          'Drag the selection or its corners. With the keyboard, use the arrow keys to move the selection, or to resize it from a corner.',
        )}
      </p>
    </div>
  );
}

function cropLabels() {
  return {
    cropArea: t('Use the arrow keys to move the selection'),
    nwDragHandle: t('Use the arrow keys to move the upper left corner'),
    nDragHandle: t('Use the up and down arrow keys to move the upper edge'),
    neDragHandle: t('Use the arrow keys to move the upper right corner'),
    eDragHandle: t('Use the left and right arrow keys to move the right edge'),
    seDragHandle: t('Use the arrow keys to move the lower right corner'),
    sDragHandle: t('Use the up and down arrow keys to move the lower edge'),
    swDragHandle: t('Use the arrow keys to move the lower left corner'),
    wDragHandle: t('Use the left and right arrow keys to move the left edge'),
  };
}
