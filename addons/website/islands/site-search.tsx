import searchIcon from 'bootstrap-icons/icons/search.svg';
import { useId, useState } from 'react';
import type { z } from 'zod';
import { Icon } from '#addons/web/kit';
import { Combobox } from '#addons/web/kit-combobox';
import { rpc, t, url } from '#core/browser';
import type schema from './site-search.props.ts';

interface Suggestion {
  readonly title: string;
  readonly url: string;
  readonly kind: string;
  readonly image?: string | null;
  readonly note?: string;
}

/** The search of the site: a form that leads to the page of results, with what fits below the field while somebody types. */
export default function SiteSearch({ value, autofocus }: z.infer<typeof schema>) {
  const [typed, setTyped] = useState(value);
  const id = useId();
  return (
    <search>
      <form className="site-search-form" action={url('/search')} method="get" data-slot="site-search">
        <label className="visually-hidden" htmlFor={id}>
          {t('Search this site')}
        </label>
        <Combobox<Suggestion>
          id={id}
          className="form-control"
          // In a field of the type "search" browsers keep Escape for themselves, which closes what this lies in.
          type="text"
          enterKeyHint="search"
          name="q"
          maxLength={100}
          autoFocus={autofocus}
          placeholder={t('Search this site')}
          label={t('Suggestions')}
          none={t('Nothing fits.')}
          value={typed}
          onChange={setTyped}
          onKeyDown={({ key, currentTarget, nativeEvent }) => {
            // Where no list is shown, Escape is for what the field lies in; where nothing of it is chosen, Enter is for the form: not for downshift.
            const isOurs = {
              Escape: currentTarget.ariaExpanded !== 'true',
              Enter: !currentTarget.getAttribute('aria-activedescendant'),
            };
            if (isOurs[key as keyof typeof isOurs]) Object.assign(nativeEvent, { preventDownshiftDefault: true });
          }}
          suggest={(text) =>
            text.trim().length < 2 ? Promise.resolve(null) : rpc('/website/search/suggest', { text })
          }
          textOf={({ title }) => title}
          show={({ title, kind, image, note }) => (
            <>
              {image && <img src={image} alt="" width="40" height="40" />}
              <span>{title}</span> <small>{note ?? kind}</small>
            </>
          )}
          onSelect={(found) => location.assign(url(found.url))}
        />
        <button className="btn btn-primary" type="submit">
          <Icon of={searchIcon} /> <span className="visually-hidden">{t('Search')}</span>
        </button>
      </form>
    </search>
  );
}
