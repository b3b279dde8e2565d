import { Check, Picture, TextField } from '@pergola/web/kit';
import { Dialog } from '@pergola/web/kit-dialog';
import { t } from 'pergola/browser';
import { useState } from 'react';
import { calls } from '../calls.ts';
import { troubleOf } from '../trouble.ts';
import { useCall } from './use-call.ts';

/** Creates a page from a template and opens it for editing. */
export function NewPageDialog({ onMade, onClose }: { onMade(url: string): void; onClose(): void }) {
  const [name, setName] = useState('');
  const [menu, setMenu] = useState(true);
  const [template, setTemplate] = useState('website.page_blank');
  const drawer = useCall(calls.drawer, 'drawer').value;
  const thumbnails = new Map(drawer?.snippets.map(({ id, thumbnail }) => [id, thumbnail]));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const make = async (): Promise<void> => {
    if (name.trim() === '') {
      setError(t('Enter a title for the page.'));
      return;
    }
    setBusy(true);
    try {
      const snippetIds = drawer?.pages.find(({ id }) => id === template)?.snippets ?? [];
      const content = await contentOf(
        snippetIds.filter((id) => thumbnails.has(id)),
        name.trim(),
      );
      const { url } = await calls.newPage({ name: name.trim(), menu, content });
      onMade(url);
    } catch (failure) {
      setBusy(false);
      setError(troubleOf(failure).message);
    }
  };
  return (
    <Dialog
      title={t('New page')}
      wide
      light
      onClose={onClose}
      onSubmit={() => void make()}
      submit={t('Create')}
      busy={busy}
    >
      <TextField
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
        <legend className="form-label">{t('Start from')}</legend>
        {(drawer?.pages ?? []).map(({ id, label, snippets }) => (
          <Check
            key={id}
            type="radio"
            wrap={template === id ? 'ed-chosen' : ''}
            className="visually-hidden"
            name="ed-template"
            checked={template === id}
            onChange={() => setTemplate(id)}
            label={
              <>
                <span className="ed-sheet" aria-hidden="true">
                  {snippets.map((snippet) =>
                    thumbnails.has(snippet) ? <Picture key={snippet} src={thumbnails.get(snippet)} alt="" /> : null,
                  )}
                </span>
                {label}
              </>
            }
          />
        ))}
      </fieldset>
      <Check label={t('Add to the main menu')} checked={menu} onChange={setMenu} />
    </Dialog>
  );
}

/** Snippets of a template, with the page title as the main heading. Headings of the blocks below move down a level. */
async function contentOf(snippets: readonly string[], title: string): Promise<string> {
  if (snippets.length === 0) return '';
  const parts = await Promise.all(snippets.map((id) => calls.snippet(id)));
  const holder = document.createElement('template');
  holder.innerHTML = parts.map(({ html }) => html).join('\n');
  const first = holder.content.querySelector('h1, h2');
  const heading = document.createElement('h1');
  if (first?.className) heading.className = first.className;
  heading.textContent = title;
  first?.replaceWith(heading);
  for (const block of holder.content.querySelectorAll('[data-block]')) block.textContent = '';
  return holder.innerHTML;
}
