import 'react-image-crop/dist/ReactCrop.css';
import '../css/image-crop.css';
import { SelectField } from '@pergola/web/kit';
import { Dialog } from '@pergola/web/kit-dialog';
import { t } from 'pergola/browser';
import { useState } from 'react';
import { type CropFields, photoAspect } from '../crop.ts';
import { type Uploaded, upload } from '../media.ts';
import { troubleOf } from '../trouble.ts';
import ImageCrop from './image-crop.tsx';

export interface CropDialogProps {
  /** URL of an image on this site. */
  readonly src: string;
  /** File name of the image. */
  readonly name: string;
  /** Receives the crop as a new image; the original stays. */
  onDone(part: Uploaded): void;
  onClose(): void;
}

const proportions = { '5:3': photoAspect, '1:1': 1, '4:3': 4 / 3, '16:9': 16 / 9, '3:4': 3 / 4 } as const;
type Proportion = keyof typeof proportions;

/** Dialog that crops an image of the page. */
export function CropDialog({ src, name, onDone, onClose }: CropDialogProps) {
  const [proportion, setProportion] = useState<Proportion>('4:3');
  const [crop, setCrop] = useState<CropFields | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const cut = async (): Promise<void> => {
    if (!crop || busy) return;
    setBusy(true);
    try {
      onDone(await upload(await partOf(src, name, crop), 'picture'));
    } catch (failure) {
      setError(troubleOf(failure).message);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t('Crop image')}
      wide
      light
      error={error}
      onClose={onClose}
      onSubmit={() => void cut()}
      submit={busy ? t('Uploading…') : t('Crop')}
      disabled={!crop}
      busy={busy}
    >
      <SelectField
        label={t('Aspect ratio')}
        value={proportion}
        choices={(Object.keys(proportions) as Proportion[]).map((value) => ({
          value,
          label: value.replace(':', ' : '),
        }))}
        onChange={(value) => {
          setCrop(null);
          setProportion(value);
        }}
      />
      <ImageCrop key={proportion} src={src} aspect={proportions[proportion]} onChange={setCrop} />
    </Dialog>
  );
}

/** Encodes the crop in the original format, or as PNG if the browser can't write that. */
async function partOf(src: string, name: string, { x1, y1, w, h }: CropFields): Promise<File> {
  const picture = await createImageBitmap(await (await fetch(src)).blob(), x1, y1, w, h);
  const canvas = new OffscreenCanvas(w, h);
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  const isPhoto = /\.(jpe?g|webp|avif)$|\/website\/image\//i.test(new URL(src, location.href).pathname);
  const blob = await canvas.convertToBlob({ type: isPhoto ? 'image/webp' : 'image/png', quality: 0.9 });
  return new File([blob], `${name}.${blob.type.split('/')[1]}`, { type: blob.type });
}
