/** A file as calls carry it: base64, without what browsers put before it. */
export function pictureText(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^data:[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read.')));
    reader.readAsDataURL(file);
  });
}

/** The chosen part of a picture from a form's fields; nothing where none was chosen. */
export function cropOf(fields: FormData): Readonly<Record<string, number>> {
  const names = ['x1', 'y1', 'x2', 'y2', 'w', 'h'] as const;
  const values = names.map((name) => [name, fields.get(name)] as const);
  if (values.some(([, value]) => value === null || value === '')) return {};
  return Object.fromEntries(values.map(([name, value]) => [name, Number(value)]));
}
