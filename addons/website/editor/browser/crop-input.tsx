import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { CropFields } from './crop.ts';
import ImageCrop from './ui/image-crop.tsx';

const names = ['x1', 'y1', 'x2', 'y2', 'w', 'h'] as const;

/**
 * Lets a picture be cropped that a file input of a form holds. The part goes with the form as `x1, y1, x2, y2, w, h`; without a selection the
 * fields are empty and the picture is taken as it is.
 */
export function cropInput(input: HTMLInputElement, aspect: number | undefined): () => void {
  const fields = new Map(names.map((name) => [name, hiddenField(input, name)]));
  const holder = document.createElement('div');
  input.after(holder);
  const root = createRoot(holder);
  const fill = (crop: CropFields | null): void => {
    for (const [name, field] of fields) field.value = crop ? String(crop[name]) : '';
  };
  root.render(<ChosenFile input={input} aspect={aspect} onChange={fill} />);
  return () => {
    root.unmount();
    holder.remove();
    for (const field of fields.values()) field.remove();
  };
}

function hiddenField(input: HTMLInputElement, name: string): HTMLInputElement {
  const field = document.createElement('input');
  field.type = 'hidden';
  field.name = name;
  input.after(field);
  return field;
}

/** The crop of whatever picture the input holds now. */
function ChosenFile({
  input,
  aspect,
  onChange,
}: {
  input: HTMLInputElement;
  aspect: number | undefined;
  onChange(crop: CropFields | null): void;
}) {
  const [src, setSrc] = useState<string | null>(null);
  useEffect(() => {
    let url: string | null = null;
    const take = (): void => {
      if (url) URL.revokeObjectURL(url);
      const file = input.files?.[0];
      url = file?.type.startsWith('image/') ? URL.createObjectURL(file) : null;
      onChange(null);
      setSrc(url);
    };
    take();
    input.addEventListener('change', take);
    const form = input.form;
    const clear = (): void => void setTimeout(take);
    form?.addEventListener('reset', clear);
    return () => {
      input.removeEventListener('change', take);
      form?.removeEventListener('reset', clear);
      if (url) URL.revokeObjectURL(url);
    };
  }, [input, onChange]);
  return src ? <ImageCrop src={src} aspect={aspect} onChange={onChange} /> : null;
}
