const heic = /\.(heic|heif)$/i;

/** Image types for file inputs. Many systems recognise HEIC only by its extension. */
export const pictureTypes = 'image/png,image/jpeg,image/gif,image/webp,image/avif,image/heic,image/heif,.heic,.heif';

/** Whether a file claims to be an image; the server verifies it. */
export function isPicture({ type, name }: File): boolean {
  return type.startsWith('image/') || heic.test(name);
}

/** Whether most browsers can show an image. iPhone photos become viewable after upload. */
export function isShowable({ type, name }: File): boolean {
  return /^image\/(png|jpeg|gif|webp|avif|svg\+xml|bmp)$/.test(type) && !heic.test(name);
}

/** Whether this browser can decode an image, which avoids uploading files that would be refused. HEIC is left to the server. */
export async function isReadable(file: File): Promise<boolean> {
  if (!isShowable(file) || file.type === 'image/svg+xml' || typeof createImageBitmap === 'undefined') return true;
  // Decodes a single pixel, which saves the memory of a large photo.
  return createImageBitmap(file, { resizeWidth: 1, resizeHeight: 1 }).then(
    (bitmap) => {
      bitmap.close();
      return true;
    },
    () => false,
  );
}
