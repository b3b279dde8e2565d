import { Check, SelectField, TextField } from '@pergola/web/kit';
import { Dialog } from '@pergola/web/kit-dialog';
import type { Editor } from '@tiptap/core';
import { t } from 'pergola/browser';
import { useState } from 'react';
import { shortened } from '../../../services/shortened.ts';
import { calls } from '../calls.ts';
import { addressOf, type LinkLook, lookOf, looks } from '../rich/link.ts';
import { useCall, useSettled } from './use-call.ts';

export interface LinkDialogProps {
  readonly editor: Editor;
  /** Button styles and page search are only available when editing pages. */
  readonly isPage: boolean;
  onClose(): void;
}

/** Adds, changes or removes the link at the cursor. */
export function LinkDialog({ editor, isPage, onClose }: LinkDialogProps) {
  const link = editor.getAttributes('link');
  const isNew = !editor.isActive('link');
  const [href, setHref] = useState(String(link.href ?? ''));
  const [label, setLabel] = useState('');
  const [blank, setBlank] = useState(link.target === '_blank');
  const [look, setLook] = useState<LinkLook>(lookOf(String(link.class ?? '')));
  const [error, setError] = useState<string | null>(null);
  const needsLabel = isNew && editor.state.selection.empty;

  const save = (): void => {
    const address = addressOf(href);
    if (address === null) {
      setError(t('You must enter a URL to Create a Link'));
      return;
    }
    const attributes = {
      href: address,
      target: blank ? '_blank' : null,
      rel: blank ? 'noopener' : null,
      class: looks[look] || null,
    };
    const chain = editor.chain().focus().extendMarkRange('link');
    if (needsLabel) {
      const text = label.trim() || href.trim();
      chain.insertContent({ type: 'text', text, marks: [{ type: 'link', attrs: attributes }] }).run();
    } else chain.setLink(attributes as { href: string }).run();
    onClose();
  };
  const remove = (): void => {
    editor.chain().focus().extendMarkRange('link').unsetLink().run();
    onClose();
  };

  return (
    <Dialog
      title={isNew ? t('Insert link') : t('Edit link')}
      light
      onClose={onClose}
      onSubmit={save}
      foot={
        isNew ? null : (
          <button type="button" className="btn btn-outline-danger me-auto" onClick={remove}>
            {t('Remove link')}
          </button>
        )
      }
      submit={isNew ? t('Insert') : t('Save')}
    >
      <TextField
        label={t('Address')}
        help={isPage ? t('A page on this site, a web address, an email address, or #section on this page.') : undefined}
        error={error}
        value={href}
        autoComplete="off"
        onChange={(value) => {
          setHref(value);
          setError(null);
        }}
      />
      {isPage ? <Places query={href} onChoose={setHref} /> : null}
      {needsLabel ? <TextField label={t('Text')} value={label} onChange={setLabel} /> : null}
      <Check label={t('Open in a new window')} checked={blank} onChange={setBlank} />
      {isPage ? (
        <SelectField<LinkLook>
          label={t('Appearance')}
          value={look}
          onChange={setLook}
          choices={[
            { value: 'link', label: t('Link') },
            { value: 'primary', label: t('Button') },
            { value: 'outline', label: t('Outlined button') },
            { value: 'secondary', label: t('Text button') },
          ]}
        />
      ) : null}
    </Dialog>
  );
}

/** Pages whose name or address contains the query, and anchors on this page. */
function Places({ query, onChoose }: { query: string; onChoose(url: string): void }) {
  const needle = useSettled(query, 250);
  const isAddress = /^(https?:|mailto:|tel:|#)/i.test(needle);
  const suggestions = useCall(() => (isAddress ? Promise.resolve({ links: [] }) : calls.links(needle)), needle);
  const anchors = needle.startsWith('#') ? anchorsOf(document, needle.slice(1)) : [];
  const places = [...(suggestions.value?.links ?? []), ...anchors];
  if (places.length === 0) return null;
  return (
    <ul className="ed-places" aria-label={t('Pages on this site')}>
      {places.map(({ name, url }) => (
        <li key={url}>
          <button type="button" onClick={() => onChoose(url)} aria-pressed={url === query}>
            <span>{name}</span>
            <small>{url}</small>
          </button>
        </li>
      ))}
    </ul>
  );
}

function anchorsOf(page: Document, needle: string): { name: string; url: string }[] {
  return [...page.querySelectorAll<HTMLElement>('main [id]')]
    .filter(({ id }) => /^[A-Za-z][\w-]*$/.test(id) && id.includes(needle) && !id.startsWith('ed-'))
    .slice(0, 9)
    .map((element) => ({ name: shortened(element.textContent ?? '', 50) || element.id, url: `#${element.id}` }));
}
