import { Lightbox, type LightboxPicture } from './lightbox.tsx';
import { showBeside } from './show-beside.ts';

/** Opens the image viewer at an image; `closed` receives the index of the last image shown. */
export async function openLightbox(
  pictures: readonly LightboxPicture[],
  first: number,
  closed: (index: number) => void,
): Promise<void> {
  await showBeside(document.body, '', (end) => (
    <Lightbox
      pictures={pictures}
      first={first}
      onClose={(index) => {
        end();
        closed(index);
      }}
    />
  ));
}
