import cart from 'bootstrap-icons/icons/cart3.svg';
import { confirmDialog, notify, t } from 'pergola/browser';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { z } from 'zod';
import { BusyButton } from '../kit/busy-button.tsx';
import { Combobox } from '../kit/combobox.tsx';
import { Check, SelectField, TextArea, TextField } from '../kit/field.tsx';
import { Icon } from '../kit/icon.tsx';
import { Money } from '../kit/money.tsx';
import { Pager } from '../kit/pager.tsx';
import { Picture } from '../kit/picture.tsx';
import { Quantity } from '../kit/quantity.tsx';
import { TagInput } from '../kit/tag-input.tsx';
import type schema from './kit.props.ts';

const Dialog = lazy(async () => ({ default: (await import('../kit/dialog.tsx')).Dialog }));
const PromptDialog = lazy(async () => ({ default: (await import('../kit/prompt-dialog.tsx')).PromptDialog }));

const FRUIT = ['apple', 'apricot', 'banana', 'cherry', 'pear', 'plum'];
const find = async (text: string): Promise<string[]> => FRUIT.filter((fruit) => fruit.startsWith(text.toLowerCase()));
const euro = { digits: 2, before: '', after: ' €' };

/** Every component of the kit in all its states, for developers of islands. */
export default function Kit({ picture }: z.infer<typeof schema>) {
  const [quantity, setQuantity] = useState('2');
  const [page, setPage] = useState(4);
  const [fruit, setFruit] = useState('');
  const [tags, setTags] = useState<readonly string[]>(['apple', 'plum']);
  const [isOpen, setOpen] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const labels = { field: t('Quantity'), less: t('Decrease'), more: t('Increase') };
  return (
    <>
      <Part name="Field">
        <TextField label={t('Your name')} name="name" defaultValue="Ann" />
        <TextField label={t('Email')} help={t('We never show it.')} name="email" type="email" />
        <TextField
          label={t('Phone')}
          error={t('Enter a valid phone number.')}
          name="phone"
          type="tel"
          defaultValue="12"
        />
        <SelectField label={t('Size')} name="size">
          <option>{t('Small')}</option>
          <option>{t('Large')}</option>
        </SelectField>
        <TextArea label={t('Message')} name="message" />
        <Check label={t('Your name')} name="check" />
      </Part>
      <Part name="Quantity">
        <Quantity value={quantity} min={0} max={9} onChange={setQuantity} labels={labels} href="#quantity" />
      </Part>
      <Part name="Money">
        <Money of={{ value: 1234.5, ...euro }} /> · <Money of={{ value: 0.0125, ...euro }} /> ·{' '}
        <Money of={{ value: 1200, digits: 0, before: '¥', after: '' }} />
      </Part>
      <Part name="Photo">
        <Picture src={picture} alt={t('Site logo')} width={64} height={64} />
      </Part>
      <Part name="Pager">
        <Pager label={t('Pagination')} page={page} pages={9} address={(to) => `#page-${to}`} onPage={setPage} />
      </Part>
      <Part name="BusyButton" row>
        <BusyButton type="button">{t('Save')}</BusyButton>
        <BusyButton type="button" busy>
          {t('Save')}
        </BusyButton>
      </Part>
      <Part name="Icon">
        <Icon of={cart} /> {t('My Cart')}
      </Part>
      <Part name="Combobox">
        <Combobox
          className="form-control"
          aria-label={t('Fruit')}
          label={t('Fruit')}
          value={fruit}
          onChange={setFruit}
          suggest={find}
          textOf={(fruit: string) => fruit}
          onSelect={setFruit}
        />
      </Part>
      <Part name="TagInput">
        <TagInput
          className="form-control"
          aria-label={t('Tags')}
          label={t('Tags')}
          name="tags"
          tags={tags}
          onChange={setTags}
          suggest={find}
          split={(text) => text.split(/[,\s]+/u).filter(Boolean)}
        />
      </Part>
      <Part name="Dialog" row>
        <button type="button" className="btn btn-outline-primary" onClick={() => setOpen(true)}>
          {t('Open')}
        </button>
        <button
          type="button"
          className="btn btn-outline-danger"
          onClick={() => void confirmDialog(t('Delete this?'), { yes: t('Delete') })}
        >
          {t('Delete')}
        </button>
        <button type="button" className="btn btn-outline-primary" onClick={() => setAsking(true)}>
          {t('Your name')}
        </button>
        <Suspense>
          {isAsking && (
            <PromptDialog
              title={t('Your name')}
              label={t('Your name')}
              onAnswer={(name) => {
                setAsking(false);
                notify(name);
              }}
              onClose={() => setAsking(false)}
            />
          )}
          {isOpen && (
            <Dialog
              title={t('Your name')}
              light
              onClose={() => setOpen(false)}
              onSubmit={() => setOpen(false)}
              foot={<BusyButton>{t('Save')}</BusyButton>}
            >
              <TextField label={t('Your name')} name="name" />
            </Dialog>
          )}
        </Suspense>
      </Part>
      <Part name="notify" row>
        <button type="button" className="btn btn-outline-primary" onClick={() => notify(t('Saved.'))}>
          {t('Show a notification')}
        </button>
        <button
          type="button"
          className="btn btn-outline-danger"
          onClick={() => notify(t('Couldn’t reach the server. Try again.'), 'alert')}
        >
          {t('Show an error')}
        </button>
      </Part>
    </>
  );
}

function Part({
  name,
  row,
  children,
}: {
  readonly name: string;
  readonly row?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <section className="mb-4" data-part={name}>
      <h2 className="h5">
        <code>{name}</code>
      </h2>
      {row ? <div className="d-flex flex-wrap gap-2">{children}</div> : children}
    </section>
  );
}
