import { Field, Picture } from '@pergola/web/kit';
import { t } from 'pergola/browser';
import { useRef, useState } from 'react';

interface Props {
  readonly label: string;
  readonly help: string;
  /** URL of the current image. */
  readonly source: string | null;
  /** Base64 content, or false to remove the image. */
  onChange(content: string | false): void;
}

/** Input for an image of the site: replace or remove. */
export function PictureInput({ label, help, source, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [preview, setPreview] = useState(source);
  const take = (file: File | undefined): void => {
    if (!file) return;
    const reader = new FileReader();
    reader.onload = () => {
      const address = String(reader.result);
      setPreview(address);
      onChange(address.replace(/^[^,]*,/, ''));
    };
    reader.readAsDataURL(file);
  };
  const remove = (): void => {
    setPreview(null);
    onChange(false);
    if (!input.current) return;
    // Resets the input so that the same file can be selected again, and focuses it, since the button has disappeared.
    input.current.value = '';
    input.current.focus();
  };
  return (
    <div className="look-picture">
      <Field wrap="" className="form-control form-control-sm" label={label} help={help}>
        {(control) => (
          <>
            {preview && <Picture src={preview} alt="" />}
            <input
              {...control}
              ref={input}
              type="file"
              accept="image/png,image/jpeg,image/webp,image/gif"
              onChange={(event) => take(event.target.files?.[0])}
            />
          </>
        )}
      </Field>
      {preview && (
        <button
          type="button"
          className="btn btn-sm btn-outline-secondary"
          onClick={remove}
          aria-label={t('{action}: {name}', { action: t('Remove'), name: label })}
        >
          {t('Remove')}
        </button>
      )}
    </div>
  );
}
