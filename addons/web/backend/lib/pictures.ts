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
