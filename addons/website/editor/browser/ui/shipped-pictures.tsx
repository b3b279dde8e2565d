import { Picture } from '@pergola/web/kit';
import { t } from 'pergola/browser';
import type { Uploaded } from '../media.ts';
import { attachAddress } from '../media.ts';

/** Stock images for sites without their own. The image's name becomes its alternative text. */
export function ShippedPictures({ onChoose }: { onChoose(chosen: Promise<Uploaded>): void }) {
  const pictures: readonly (readonly [file: string, words: string, width: number, height: number])[] = [
    ['pergola', t('A path leads under a pergola full of flowers'), 1200, 800],
    ['workshop', t('A bright room with a work table, plants and books'), 1200, 800],
    ['orchard', t('Rows of apple trees full of fruit'), 1200, 800],
    ['village', t('The roofs of a small town in the evening'), 1200, 800],
    ['coast', t('A lighthouse above the sea'), 1200, 800],
    ['winter', t('Hills under snow and a pale sun'), 1200, 800],
    ['hills', t('Wooded hills in the morning light'), 1920, 900],
    ['leaves', t('Leaves in the light'), 1920, 900],
  ];
  const choose = async (file: string, name: string, size: { width: number; height: number }): Promise<Uploaded> => ({
    ...(await attachAddress(`/website/static/pictures/${file}.jpg`)),
    ...size,
    name,
  });
  return (
    <ul className="ed-pictures" style={{ ['--ed-columns' as string]: 4 }}>
      {pictures.map(([file, words, width, height]) => (
        <li key={file}>
          <button
            type="button"
            className="ed-thumbnail"
            onClick={() => onChoose(choose(file, words, { width, height }))}
          >
            <Picture src={`/website/static/pictures/${file}-480.webp`} alt="" />
            <span className="ed-caption">{words}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
