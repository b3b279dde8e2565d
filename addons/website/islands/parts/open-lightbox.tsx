import { Lightbox, type LightboxPicture } from './lightbox.tsx';
import { showBeside } from './show-beside.ts';

/** Shows pictures large, beginning with one of them; `closed` is told the index of the last one. */
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
