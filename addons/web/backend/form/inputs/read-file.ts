/** Returns the content of a file as base64, the format of calls. */
export function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('The file could not be read.'));
    reader.readAsDataURL(file);
  });
}

/** Whether a value is file content (base64) rather than the size of a stored file, such as `12.34 Kb`. */
export function isContent(value: unknown): value is string {
  return typeof value === 'string' && !/^\d+(\.\d+)? (bytes|[KMGT]b)$/.test(value);
}

/** Maximum file size per call (12 MB as base64). */
export const MAX_BYTES = 8_500_000;
