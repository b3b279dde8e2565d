import eye from 'bootstrap-icons/icons/eye.svg';
import eyeSlash from 'bootstrap-icons/icons/eye-slash.svg';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { Icon } from '#addons/web/kit';
import { notify, type RpcError, t } from '#core/browser';
import { ActionForm, useAction } from '#core/islands';
import type { publish } from '../routes/publish.ts';
import { ErrorDialog } from './parts/error-dialog.tsx';
import type schema from './publish.props.ts';

/** Publishes a record or takes it back, where it stands. */
export default function Publish({ id, model, published }: z.infer<typeof schema>) {
  const [isPublished, setPublished] = useState(published);
  const [trouble, setTrouble] = useState<RpcError | null>(null);
  const [isChecking, setChecking] = useState(false);
  const isChecked = useRef(false);
  const toggle = usePartOfPage(isPublished);
  const change = useAction<typeof publish>('/website/publish', {
    done: (now) => {
      setPublished(now);
      notify(now ? t('Published.') : t('Not published any more.'));
    },
    failed: (error) => {
      setTrouble(error);
      return true;
    },
  });
  // What editors made is looked through before visitors see it.
  const check = async (event: MouseEvent<HTMLButtonElement>): Promise<void> => {
    const button = event.currentTarget;
    if (isPublished || isChecked.current || model !== 'website.page' || !document.querySelector('[data-oe-field]'))
      return;
    event.preventDefault();
    if (isChecking) return;
    setChecking(true);
    notify(t('The page is being looked through…'));
    const { checkBeforePublishing } = await import('../editor/browser/check.tsx');
    isChecked.current = await checkBeforePublishing(id).catch(() => true);
    setChecking(false);
    if (isChecked.current) button.form?.requestSubmit(button);
  };
  return (
    <div
      className={`js_publish_management ${isPublished ? 'css_published' : 'css_unpublished'}`}
      data-id={id}
      data-object={model}
      data-controller="/website/publish"
      data-slot="publish"
      ref={toggle}
    >
      <ActionForm of={change}>
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="object" value={model} />
        <input type="hidden" name="published" value={String(!isPublished)} />
        <button
          className="btn btn-sm js_publish_btn"
          type="submit"
          aria-disabled={change.pending || isChecking || undefined}
          onClick={check}
          aria-label={isPublished ? t('Published: take it back') : t('Not published: publish it')}
        >
          <span className="css_publish">
            <Icon of={eye} /> {t('Published')}
          </span>
          <span className="css_unpublish">
            <Icon of={eyeSlash} /> {t('Not published')}
          </span>
        </button>
      </ActionForm>
      {trouble && <ErrorDialog of={trouble} model={model} id={id} onClose={() => setTrouble(null)} />}
    </div>
  );
}

/** The part of the page that the record is, around the toggle or beside it, shows the state too. */
function usePartOfPage(isPublished: boolean) {
  const toggle = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const beside = toggle.current?.closest('pergola-island')?.parentElement?.parentElement;
    const part = toggle.current?.closest('[data-publish]') ?? beside?.querySelector(':scope > [data-publish]');
    part?.setAttribute('data-publish', isPublished ? 'on' : 'off');
  }, [isPublished]);
  return toggle;
}
