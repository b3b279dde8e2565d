import type { writeQuestions } from '@pergola/web';
import { Icon } from '@pergola/web/kit';
import eye from 'bootstrap-icons/icons/eye.svg';
import eyeSlash from 'bootstrap-icons/icons/eye-slash.svg';
import { confirmDialog, notify, type RpcError, rpc, t, url } from 'pergola/browser';
import { ActionForm, useCall } from 'pergola/islands';
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { z } from 'zod';
import { ErrorDialog } from './parts/error-dialog.tsx';
import type schema from './publish.props.ts';

/** Publishes or unpublishes a record in place. */
export default function Publish({
  id,
  model,
  published,
  asks = false,
  controller = '/website/publish',
}: z.infer<typeof schema>) {
  const [isPublished, setPublished] = useState(published);
  const [trouble, setTrouble] = useState<RpcError | null>(null);
  const check = useCheck(id, model, isPublished);
  const question = useQuestion(id, model, asks && !isPublished);
  const toggle = usePartOfPage(isPublished);
  const { call, pending } = useCall();
  const send = (on: boolean): void => {
    // The controller in the page can differ from the template's.
    const path = toggle.current?.dataset.controller || controller;
    const input = { id, object: model, published: on, ...(check.isDone ? { anyway: true } : {}) };
    call<unknown>(path, input, {
      done: (answer) => {
        const now = Boolean(answer);
        setPublished(now);
        if (now) notify(t('Published.'));
        else notify(t('Unpublished.'), 'status', { text: t('Undo'), run: () => send(true) });
      },
      failed: (error) => {
        setTrouble(error);
        return true;
      },
    });
  };
  return (
    <div
      className={`js_publish_management ${isPublished ? 'css_published' : 'css_unpublished'}`}
      data-id={id}
      data-object={model}
      data-controller={controller}
      data-slot="publish"
      ref={toggle}
    >
      <ActionForm of={{ form: { action: url(`${controller}/form`), submit: () => send(!isPublished) }, error: null }}>
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="object" value={model} />
        <input type="hidden" name="published" value={String(!isPublished)} />
        <button
          className="btn btn-sm js_publish_btn"
          type="submit"
          aria-disabled={pending || check.busy || undefined}
          onClick={asks ? question.press : check.press}
          aria-label={isPublished ? t('Published. Unpublish') : t('Not published. Publish')}
        >
          <span className="css_publish">
            <Icon of={eye} /> {t('Published')}
          </span>
          <span className="css_unpublish">
            <Icon of={eyeSlash} /> {t('Not published')}
          </span>
        </button>
      </ActionForm>
      {check.dialog}
      {trouble && <ErrorDialog of={trouble} model={model} id={id} onClose={() => setTrouble(null)} />}
    </div>
  );
}

/** Checks edited pages before publishing; the editor can publish despite issues. */
function useCheck(id: number, model: string, isPublished: boolean) {
  const [isDone, setDone] = useState(false);
  const [busy, setBusy] = useState(false);
  const [dialog, setDialog] = useState<ReactNode>(null);
  const press = async (event: MouseEvent<HTMLButtonElement>): Promise<void> => {
    const button = event.currentTarget;
    if (isPublished || isDone || model !== 'website.page' || !document.querySelector('[data-oe-field]')) return;
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const publish = (): void => {
      flushSync(() => setDone(true));
      setDialog(null);
      button.form?.requestSubmit(button);
    };
    notify(t('Checking the page…'));
    const { checkPage } = await import('../editor/browser/check-page.ts');
    const { CheckDialog } = await import('../editor/browser/ui/check-dialog.tsx');
    // A failed check doesn't block publishing.
    const faults = await checkPage(id).catch(() => []);
    setBusy(false);
    if (faults.length === 0) publish();
    else setDialog(<CheckDialog faults={faults} onPublish={publish} onClose={() => setDialog(null)} />);
  };
  return { busy, dialog, isDone, press };
}

/** Asks the server's questions before publishing, such as whether a product without a tax is intended. */
function useQuestion(id: number, model: string, isOn: boolean) {
  const isAnswered = useRef(false);
  const press = async (event: MouseEvent<HTMLButtonElement>): Promise<void> => {
    if (!isOn || isAnswered.current) return;
    const button = event.currentTarget;
    event.preventDefault();
    const values = { website_published: true };
    // Publishers without backend access aren't asked.
    const questions = await rpc<typeof writeQuestions>('/web/backend/questions', { model, ids: [id], values }).catch(
      () => [],
    );
    for (const { text, yes } of questions)
      if (!(await confirmDialog(text, { title: yes, yes, no: t('Go back') }))) return;
    isAnswered.current = true;
    button.form?.requestSubmit(button);
    isAnswered.current = false;
  };
  return { press };
}

/** Updates the state of the record's part of the page, around the toggle or next to it. */
function usePartOfPage(isPublished: boolean) {
  const toggle = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const container = toggle.current?.closest('pergola-island')?.parentElement?.parentElement;
    const part = toggle.current?.closest('[data-publish]') ?? container?.querySelector(':scope > [data-publish]');
    part?.setAttribute('data-publish', isPublished ? 'on' : 'off');
  }, [isPublished]);
  return toggle;
}
