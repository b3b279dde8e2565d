import { newChangeKey } from '@pergola/web/browser';
import { Icon, Picture, TextArea, TextField } from '@pergola/web/kit';
import { Dialog } from '@pergola/web/kit-dialog';
import imageIcon from 'bootstrap-icons/icons/image.svg';
import trash3Icon from 'bootstrap-icons/icons/trash3.svg';
import { t } from 'pergola/browser';
import { useEffect, useState } from 'react';
import { calls, type ElementRef, type OpenElement } from '../calls.ts';
import { troubleOf } from '../trouble.ts';
import { MediaDialog } from './media-dialog.tsx';

/** Maximum lengths displayed by search engines. */
export const seoLengths = { title: 70, description: 160 } as const;

const names = [
  'website_meta_title',
  'website_meta_description',
  'website_meta_keywords',
  'website_meta_og_img',
] as const;
type SeoName = (typeof names)[number];

export interface SeoDialogProps {
  readonly lang: string;
  /** Records of the page; the first with SEO fields is edited. */
  readonly records: readonly { readonly model: string; readonly id: number }[];
  onSaved(changeKey: string): void;
  onClose(): void;
}

/** SEO and link preview texts of a page, with a preview. */
export function SeoDialog({ lang, records, onSaved, onClose }: SeoDialogProps) {
  const [opened, setOpened] = useState<ReadonlyMap<SeoName, OpenElement> | null>(null);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [error, setError] = useState<string | null>(null);
  const [picking, setPicking] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once when the dialog opens
  useEffect(() => {
    void openSeo(lang, records).then(
      (elements) => {
        setOpened(elements);
        setValues(Object.fromEntries([...elements].map(([name, { value }]) => [name, String(value ?? '')])));
      },
      (failure: unknown) => setError(troubleOf(failure).message),
    );
  }, []);
  const set = (name: SeoName) => (value: string) => setValues((previous) => ({ ...previous, [name]: value }));
  const value = (name: SeoName): string => values[name] ?? '';

  const save = async (): Promise<void> => {
    const changes = [...(opened ?? [])].flatMap(([name, { model, id, revision, value: previous }]) =>
      value(name) === String(previous ?? '') ? [] : [{ model, id, field: name, revision, value: value(name) || null }],
    );
    if (changes.length === 0) return onClose();
    const changeKey = newChangeKey();
    try {
      const result = await calls.save(lang, changes, changeKey);
      if (result.saved) onSaved(changeKey);
      else if (result.conflicts.length > 0)
        setError(t('Someone else changed these texts. Close this window and open it again.'));
      else setError(result.refused.map(({ message }) => message).join(' '));
    } catch (failure) {
      setError(troubleOf(failure).message);
    }
  };

  if (picking) {
    return (
      <MediaDialog
        media="picture"
        onClose={() => setPicking(false)}
        onChoose={({ website_url: url }) => {
          set('website_meta_og_img')(url);
          setPicking(false);
        }}
      />
    );
  }
  return (
    <Dialog
      title={t('SEO')}
      wide
      light
      error={error}
      onClose={onClose}
      onSubmit={() => void save()}
      disabled={!opened || opened.size === 0}
    >
      {opened?.size === 0 ? <p className="ed-none">{t('This page has no SEO texts of its own.')}</p> : null}
      {opened && opened.size > 0 ? (
        <div className="ed-seo">
          <div>
            <TextField
              label={t('Title')}
              help={<Length text={value('website_meta_title')} most={seoLengths.title} />}
              maxLength={seoLengths.title}
              value={value('website_meta_title')}
              onChange={set('website_meta_title')}
            />
            <TextArea
              label={t('Description')}
              help={<Length text={value('website_meta_description')} most={seoLengths.description} />}
              maxLength={seoLengths.description}
              rows={4}
              value={value('website_meta_description')}
              onChange={set('website_meta_description')}
            />
            <TextField
              label={t('Keywords')}
              help={t('Separate several with commas.')}
              value={value('website_meta_keywords')}
              onChange={set('website_meta_keywords')}
            />
            <p className="form-label">{t('Social sharing image')}</p>
            <p className="ed-buttons">
              <button type="button" className="btn btn-sm btn-outline-secondary" onClick={() => setPicking(true)}>
                <Icon of={imageIcon} /> {value('website_meta_og_img') ? t('Replace') : t('Choose')}
              </button>
              {value('website_meta_og_img') ? (
                <button
                  type="button"
                  className="btn btn-sm btn-outline-danger"
                  onClick={() => set('website_meta_og_img')('')}
                >
                  <Icon of={trash3Icon} /> {t('Remove')}
                </button>
              ) : null}
            </p>
          </div>
          <Preview
            title={value('website_meta_title')}
            description={value('website_meta_description')}
            picture={value('website_meta_og_img')}
          />
        </div>
      ) : null}
    </Dialog>
  );
}

async function openSeo(lang: string, records: SeoDialogProps['records']): Promise<ReadonlyMap<SeoName, OpenElement>> {
  const refs: ElementRef[] = records.flatMap(({ model, id }) => names.map((field) => ({ model, id, field })));
  const { elements } = refs.length > 0 ? await calls.open(lang, refs) : { elements: [] };
  const [first] = elements;
  const recordElements = elements.filter(({ model, id }) => model === first?.model && id === first.id);
  return new Map(recordElements.map((element) => [element.field as SeoName, element]));
}

function Length({ text, most: max }: { text: string; most: number }) {
  const length = [...text].length;
  return (
    <span className={length > max ? 'ed-error' : ''}>{t('{n} of {most} characters', { n: length, most: max })}</span>
  );
}

/** Approximate search result and link preview of a page. */
function Preview({ title, description, picture }: { title: string; description: string; picture: string }) {
  const heading = document.querySelector('main h1')?.textContent?.trim() ?? document.title;
  const words = document.querySelector('main p')?.textContent?.trim() ?? '';
  return (
    <figure className="ed-preview-box" aria-label={t('Preview')}>
      <figcaption className="form-label">{t('Preview')}</figcaption>
      {picture ? <Picture src={picture} alt="" /> : null}
      <p className="ed-preview-url">
        {location.host}
        {location.pathname}
      </p>
      <p className="ed-preview-title">{(title || heading).slice(0, seoLengths.title)}</p>
      <p className="ed-preview-text">{(description || words).slice(0, seoLengths.description)}</p>
    </figure>
  );
}
