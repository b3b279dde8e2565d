import { t } from 'pergola/browser';
import { useRef, useState } from 'react';
import ReactCrop, { type Crop, centerCrop, makeAspectCrop } from 'react-image-crop';
import { Dialog } from '../../../kit/dialog.tsx';
import { Picture } from '../../../kit/picture.tsx';
import { useTrouble } from '../../lib/trouble.tsx';
import { base64Of } from './read-file.ts';

/** Maximum edge length of stored images; more pixels are never visible. */
const MAX_EDGE = 2048;
const shapes = [
  { id: 'free', aspect: undefined },
  { id: 'square', aspect: 1 },
  { id: 'wide', aspect: 5 / 3 },
] as const;

/** Crops an image; without a selection, uses all of it. Returns the content as base64. */
export function CropDialog({
  src,
  onClose,
  onCropped,
}: {
  src: string;
  onClose(): void;
  onCropped(content: string): void;
}) {
  const image = useRef<HTMLImageElement>(null);
  const [crop, setCrop] = useState<Crop>();
  const [shape, setShape] = useState<(typeof shapes)[number]>(shapes[0]);
  const report = useTrouble();
  const reshape = (next: (typeof shapes)[number]): void => {
    setShape(next);
    const element = image.current;
    if (!element) return;
    const { width, height } = element;
    setCrop(
      next.aspect === undefined
        ? undefined
        : centerCrop(
            makeAspectCrop({ unit: 'px', width: Math.min(width, height * next.aspect) }, next.aspect, width, height),
            width,
            height,
          ),
    );
  };
  const cropImage = async (): Promise<void> => {
    const element = image.current;
    if (!element) return;
    try {
      onCropped(await base64Of(await partOf(element, crop)));
    } catch (error) {
      report(error);
    }
  };
  const names = { free: t('Freeform'), square: t('Square'), wide: t('Wide (5:3)') };
  return (
    <Dialog
      title={t('Crop image')}
      onClose={onClose}
      wide
      slot="crop"
      onSubmit={() => void cropImage()}
      submit={t('Apply')}
    >
      <fieldset className="btn-group mb-3" aria-label={t('Aspect ratio')}>
        {shapes.map((option) => (
          <button
            key={option.id}
            type="button"
            className={`btn btn-sm btn-outline-secondary${option.id === shape.id ? ' active' : ''}`}
            aria-pressed={option.id === shape.id}
            onClick={() => reshape(option)}
          >
            {names[option.id]}
          </button>
        ))}
      </fieldset>
      <div className="form-crop">
        <ReactCrop crop={crop} aspect={shape.aspect} ruleOfThirds onChange={setCrop}>
          <Picture loading="eager" ref={image} src={src} alt={t('Image to crop')} crossOrigin="anonymous" />
        </ReactCrop>
      </div>
      <p className="form-text mb-0">
        {t('Drag over the image to select an area. Without a selection, the whole image is kept.')}
      </p>
    </Dialog>
  );
}

/** Returns the selected part of an image, scaled down to the stored size. */
async function partOf(image: HTMLImageElement, crop: Crop | undefined): Promise<Blob> {
  const scale = image.naturalWidth / image.width;
  const part =
    crop && crop.width > 0 && crop.height > 0
      ? { x: crop.x * scale, y: crop.y * scale, width: crop.width * scale, height: crop.height * scale }
      : { x: 0, y: 0, width: image.naturalWidth, height: image.naturalHeight };
  const shrink = Math.min(1, MAX_EDGE / Math.max(part.width, part.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(part.width * shrink));
  canvas.height = Math.max(1, Math.round(part.height * shrink));
  const context = canvas.getContext('2d');
  if (!context) throw new Error(t('Your browser can’t crop images.'));
  context.drawImage(image, part.x, part.y, part.width, part.height, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.9));
  if (!blob) throw new Error(t('This image can’t be read.'));
  return blob;
}
