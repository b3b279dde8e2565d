import cross from 'bootstrap-icons/icons/x-lg.svg';
import { t } from 'pergola/browser';
import { type ComponentProps, useState } from 'react';
import { Combobox } from './combobox.tsx';
import { Icon } from './icon.tsx';

interface Props extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'name'> {
  /** Name of the submitted field, which contains the tags separated by commas. */
  readonly name: string;
  readonly tags: readonly string[];
  readonly onChange: (tags: readonly string[]) => void;
  readonly suggest: (text: string) => Promise<readonly string[]>;
  /** Splits typed text into tags. */
  readonly split: (text: string) => readonly string[];
  /** Characters that end a tag while typing. */
  readonly separators?: RegExp;
  /** See {@link Combobox}. */
  readonly delay?: number;
  readonly loadingDelay?: number;
  readonly label: string;
}

/** Input for several short texts, each with a remove button. A comma, Enter or a suggestion adds one. */
export function TagInput({ name, tags, onChange, suggest, split, separators = /[,\s]/u, label, ...input }: Props) {
  const [draft, setDraft] = useState('');
  const add = (more: readonly string[]): void => {
    setDraft('');
    const fresh = more.filter((tag) => !tags.includes(tag));
    if (fresh.length > 0) onChange([...tags, ...fresh]);
  };
  return (
    <div className="tag-input">
      <input type="hidden" name={name} value={tags.join(',')} />
      <ul className="tag-input-tags">
        {tags.map((tag) => (
          <li key={tag} className="tag-input-tag">
            {tag}
            <button
              type="button"
              aria-label={t('Remove {name}', { name: tag })}
              onClick={() => onChange(tags.filter((candidate) => candidate !== tag))}
            >
              <Icon of={cross} />
            </button>
          </li>
        ))}
      </ul>
      <Combobox
        {...input}
        value={draft}
        label={label}
        suggest={async (text) => (await suggest(text)).filter((tag) => !tags.includes(tag))}
        textOf={(tag: string) => tag}
        onSelect={(tag) => add([tag])}
        onChange={(text) => (separators.test(text) ? add(split(text)) : setDraft(text))}
        onKeyDown={(event) => {
          // The list of suggestions handles the key first.
          if (event.key === 'Enter' && draft !== '' && !event.currentTarget.getAttribute('aria-activedescendant')) {
            event.preventDefault();
            add(split(draft));
          } else if (event.key === 'Backspace' && draft === '') onChange(tags.slice(0, -1));
        }}
        // Adds a typed tag even if it wasn't confirmed.
        onBlur={() => add(split(draft))}
      />
    </div>
  );
}
