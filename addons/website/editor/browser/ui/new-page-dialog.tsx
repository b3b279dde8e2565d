import { useState } from 'react';
import { Dialog } from '#addons/web/kit';
import { t } from '#core/browser';
import { calls } from '../calls.ts';
import { troubleOf } from '../trouble.ts';
import { Check, TextInput } from './fields.tsx';

/** What a new page begins with: snippets one below the other. */
interface PageTemplate {
  readonly id: string;
  readonly label: string;
  readonly snippets: readonly string[];
}

function templates(): PageTemplate[] {
  return [
    { id: 'blank', label: t('Empty'), snippets: [] },
    { id: 'text', label: t('Text'), snippets: ['website.title', 'website.text_block'] },
    {
      id: 'landing',
      label: t('Welcome'),
      snippets: ['website.banner', 'website.features', 'website.text_image', 'website.big_message'],
    },
    {
      id: 'about',
      label: t('About us'),
      snippets: ['website.title', 'website.text_image', 'website.image_text', 'website.quote'],
    },
    {
      id: 'services',
      label: t('What we offer'),
      snippets: ['website.banner', 'website.three_columns', 'website.comparisons', 'website.faq'],
    },
    { id: 'gallery', label: t('Pictures'), snippets: ['website.title', 'website.gallery', 'website.share'] },
  ];
}

/** Makes a page from a template and opens it for editing. */
export function NewPageDialog({ onMade, onClose }: { onMade(url: string): void; onClose(): void }) {
  const [name, setName] = useState('');
  const [menu, setMenu] = useState(true);
  const [template, setTemplate] = useState('blank');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const make = async (): Promise<void> => {
    if (name.trim() === '') {
      setError(t('Give the page a title.'));
      return;
    }
    setBusy(true);
    try {
      const chosen = templates().find(({ id }) => id === template)?.snippets ?? [];
      const { url } = await calls.newPage({ name: name.trim(), menu, content: await contentOf(chosen, name.trim()) });
      onMade(url);
    } catch (failure) {
      setBusy(false);
      setError(troubleOf(failure).message);
    }
  };
  return (
    <Dialog
      title={t('New page')}
      light
      onClose={onClose}
      onSubmit={() => void make()}
      foot={
        <>
          <button type="button" className="btn btn-outline-secondary" onClick={onClose}>
            {t('Cancel')}
          </button>
          <button type="submit" className="btn btn-primary" disabled={busy}>
            {t('Create')}
          </button>
        </>
      }
    >
      <TextInput
        label={t('Title')}
        value={name}
        maxLength={255}
        error={error}
        onChange={(value) => {
          setName(value);
          setError(null);
        }}
      />
      <fieldset className="ed-templates">
        <legend className="form-label">{t('Begin with')}</legend>
        {templates().map(({ id, label, snippets }) => (
          <label key={id} className={template === id ? 'ed-chosen' : ''}>
            <input
              type="radio"
              className="visually-hidden"
              name="ed-template"
              checked={template === id}
              onChange={() => setTemplate(id)}
            />
            <span className="ed-sheet" aria-hidden="true">
              {snippets.map((snippet) => (
                <img
                  key={snippet}
                  src={`/website/static/snippets/${snippet.replace('website.', '').replaceAll('_', '-')}.svg`}
                  alt=""
                />
              ))}
            </span>
            {label}
          </label>
        ))}
      </fieldset>
      <Check label={t('Add it to the main menu')} checked={menu} onChange={setMenu} />
    </Dialog>
  );
}

/** The snippets of a template with the page's title as their first heading; those that are not there are left out. */
async function contentOf(snippets: readonly string[], title: string): Promise<string> {
  if (snippets.length === 0) return '';
  const { snippets: offered } = await calls.drawer();
  const known = new Set(offered.map(({ id }) => id));
  const parts = await Promise.all(snippets.filter((id) => known.has(id)).map((id) => calls.snippet(id)));
  const holder = document.createElement('template');
  holder.innerHTML = parts.map(({ html }) => html).join('\n');
  const heading = holder.content.querySelector('h1, h2');
  if (heading) heading.textContent = title;
  for (const block of holder.content.querySelectorAll('[data-block]')) block.textContent = '';
  return holder.innerHTML;
}
