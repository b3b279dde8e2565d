const heic = /\.(heic|heif)$/i;

/** Types of pictures that file inputs offer; many systems know HEIC by the end of its name only. */
export const pictureTypes = 'image/png,image/jpeg,image/gif,image/webp,image/avif,image/heic,image/heif,.heic,.heif';

/** Whether a file claims to be a picture; the server decides. */
export function isPicture({ type, name }: File): boolean {
  return type.startsWith('image/') || heic.test(name);
}

/** Whether most browsers can show a picture: photos of iPhones are only readable once they were uploaded. */
export function isShowable({ type, name }: File): boolean {
  return /^image\/(png|jpeg|gif|webp|avif|svg\+xml|bmp)$/.test(type) && !heic.test(name);
}

/** Whether a picture's content is one that this browser reads, so that nobody waits for the upload of a file that is refused. HEIC is left to the server. */
export async function isReadable(file: File): Promise<boolean> {
  if (!isShowable(file) || file.type === 'image/svg+xml' || typeof createImageBitmap === 'undefined') return true;
  // One pixel: whether it decodes, without the memory of a large photo.
  return createImageBitmap(file, { resizeWidth: 1, resizeHeight: 1 }).then(
    (bitmap) => {
      bitmap.close();
      return true;
    },
    () => false,
  );
}
