import { Check, SelectField, TextField } from '@pergola/web/kit';
import { Dialog } from '@pergola/web/kit-dialog';
import { confirmDialog, notify, t } from 'pergola/browser';
import { zoneName } from 'pergola/zones';
import { useEffect, useState } from 'react';
import { calls, type PageSettings } from '../calls.ts';
import { checkPage } from '../check-page.ts';
import type { Fault } from '../faults.ts';
import { troubleOf } from '../trouble.ts';
import { forgetTyped, keepTyped, readTyped, type Typed } from '../typed-settings.ts';
import { inputMoment, momentOfInput, userZone } from '../zone.ts';
import { CheckDialog } from './check-dialog.tsx';

export interface PageDialogProps {
  readonly id: number;
  /** Called with the page's address after saving, or null if it was deleted. */
  onSaved(url: string | null): void;
  onClose(): void;
}

/** Title, address, publishing and position of a page. */
export function PageDialog({ id, onSaved, onClose }: PageDialogProps) {
  const [savedPage, setSavedPage] = useState<PageSettings | null>(null);
  const [{ redirect = true, ...changes }, setTyped] = useState<Typed>(() => readTyped(id));
  const [websites, setWebsites] = useState<readonly { id: number; name: string }[]>([]);
  const [error, setError] = useState<string | null>(null);
  const [isChecking, setChecking] = useState(false);
  const [faults, setFaults] = useState<readonly Fault[] | null>(null);
  useEffect(() => {
    void calls.page(id).then(
      (settings) => {
        setSavedPage(settings.page);
        setWebsites(settings.websites);
      },
      (failure: unknown) => setError(troubleOf(failure).message),
    );
  }, [id]);
  const page = savedPage && { ...savedPage, ...changes };
  const isTyped = Object.keys(changes).length > 0;
  const change = (now: Typed): void => {
    setTyped((previous) => ({ ...previous, ...now }));
    setError(null);
  };
  const close = (): void => {
    forgetTyped(id);
    onClose();
  };
  const attempt = async (work: () => Promise<string | null>): Promise<void> => {
    try {
      onSaved(await work());
    } catch (failure) {
      setFaults(null);
      setError(troubleOf(failure).message);
    }
  };
  const save = (anyway: boolean): void => {
    if (!page) return;
    void attempt(async () => {
      const { url } = await calls.savePage({ ...page, redirect, anyway });
      forgetTyped(id);
      return url;
    });
  };
  /** Checks a page before it is published; the user can publish it despite issues. */
  const askAndSave = async (): Promise<void> => {
    const isNew = page?.published && (!savedPage?.published || page.publish_at !== savedPage.publish_at);
    if (!isNew) return save(false);
    setChecking(true);
    // A failed check doesn't block publishing; the server has its own rule.
    const issues = await checkPage(id).catch(() => []);
    setChecking(false);
    if (issues.length === 0) return save(false);
    keepTyped(id, { redirect, ...changes });
    setFaults(issues);
  };
  /** Copies the saved version of the page. */
  const copy = async (): Promise<void> => {
    const question = t('Your changes aren’t saved yet and will be lost.');
    if (isTyped && !(await confirmDialog(question, { yes: t('Duplicate without saving') }))) return;
    await attempt(async () => {
      const { url } = await calls.copyPage(id);
      forgetTyped(id);
      return url;
    });
  };
  const remove = async (): Promise<void> => {
    const question = t('Delete the page “{name}” with its menu items and earlier versions?', {
      name: page?.name ?? '',
    });
    if (!(await confirmDialog(question, { yes: t('Delete') }))) return;
    await attempt(async () => {
      await calls.removePage(id);
      forgetTyped(id);
      return null;
    });
  };
  const mendFirst = (): void => {
    notify(t('Your changes in the page settings will still be there when you open them again.'));
    onClose();
  };
  if (faults) return <CheckDialog faults={faults} onPublish={() => save(true)} onClose={mendFirst} />;
  return (
    <Dialog
      title={t('Page settings')}
      wide
      columns
      light={!isTyped}
      error={error}
      onClose={close}
      onSubmit={() => void askAndSave()}
      foot={
        <>
          <button type="button" className="btn btn-outline-danger" disabled={!page} onClick={() => void remove()}>
            {t('Delete')}
          </button>
          <button
            type="button"
            className="btn btn-outline-secondary me-auto"
            disabled={!page}
            onClick={() => void copy()}
          >
            {t('Duplicate')}
          </button>
        </>
      }
      submit={isChecking ? t('Checking the page…') : t('Save')}
      disabled={!page}
      busy={isChecking}
    >
      {page && savedPage ? (
        <>
          <TextField label={t('Title')} value={page.name} maxLength={255} onChange={(name) => change({ name })} />
          <TextField
            label={t('Address')}
            value={page.url}
            maxLength={255}
            autoComplete="off"
            onChange={(url) => change({ url })}
          />
          {page.url !== savedPage.url ? (
            <Check
              label={t('Redirect the old address to the new one')}
              checked={redirect}
              onChange={(redirect) => change({ redirect })}
            />
          ) : null}
          <Check
            label={t('Published')}
            help={t('Until then, only editors can see it.')}
            checked={page.published}
            onChange={(published) => change({ published })}
          />
          <TextField
            label={t('Publish on')}
            type="datetime-local"
            help={`${t('Leave empty to publish now.')} (${zoneName(userZone(), t)})`}
            value={inputMoment(page.publish_at)}
            onChange={(text) => change({ publish_at: momentOfInput(text) })}
          />
          <Check label={t('In the main menu')} checked={page.in_menu} onChange={(in_menu) => change({ in_menu })} />
          <Check label={t('Home page')} checked={page.homepage} onChange={(homepage) => change({ homepage })} />
          <Check
            label={t('Visible to search engines')}
            checked={page.indexed}
            onChange={(indexed) => change({ indexed })}
          />
          {websites.length > 1 ? (
            <SelectField
              label={t('Website')}
              value={String(page.website_id ?? '')}
              choices={[
                { value: '', label: t('All websites') },
                ...websites.map((site) => ({ value: String(site.id), label: site.name })),
              ]}
              onChange={(site) => change({ website_id: site === '' ? null : Number(site) })}
            />
          ) : null}
        </>
      ) : null}
    </Dialog>
  );
}
