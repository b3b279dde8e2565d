import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { confirmDialog, notify, t } from 'pergola/browser';
import { useDeferredValue, useId, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { TextArea, TextField } from '../../kit/field.tsx';
import { LeaveGuard } from '../form/leave-guard.tsx';
import { Icon } from '../lib/icon.tsx';
import { SearchBox } from '../lib/search-box.tsx';
import { useStart } from '../lib/start.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import { type MailText, settingsCalls } from './calls.ts';
import { CardTable } from './parts.tsx';

const key = ['mail-texts'];

/** Texts of the emails sent by addons, edited by language. */
export function MailTextsScreen() {
  const [query, setQuery] = useSearchParams();
  const name = query.get('mail');
  const { lang: userLang } = useStart();
  const lang = query.get('lang') ?? userLang;
  const open = (mail: string, language: string): void => setQuery({ mail, lang: language });
  return name ? (
    <OneMail key={`${name} ${lang}`} name={name} lang={lang} onOpen={open} />
  ) : (
    <MailList onOpen={(mail) => open(mail, userLang)} />
  );
}

function MailList({ onOpen }: { onOpen(name: string): void }) {
  const { data } = useSuspenseQuery({ queryKey: key, queryFn: () => settingsCalls.mailTexts({}) });
  const [search, setSearch] = useState('');
  const words = search.trim().toLocaleLowerCase();
  const matching = data.filter(({ name, subject, addonTitle }) =>
    `${subject} ${addonTitle} ${name}`.toLocaleLowerCase().includes(words),
  );
  return (
    <>
      <Crumbs current={t('Email templates')} />
      <div className="settings-tools">
        <SearchBox label={t('Search')} value={search} onChange={setSearch} />
      </div>
      {matching.length === 0 && <p>{t('No emails found.')}</p>}
      {matching.length > 0 && (
        <CardTable label={t('Email templates')} head={[t('Subject'), t('App'), t('Status')]}>
          {matching.map(({ name, subject, addonTitle, edited, outdated }) => (
            <tr key={name}>
              <td data-label={t('Subject')}>
                <button type="button" className="btn btn-link settings-open" onClick={() => onOpen(name)}>
                  {subject}
                </button>
                <small className="settings-error">{name}</small>
              </td>
              <td data-label={t('App')}>{addonTitle}</td>
              <td data-label={t('Status')}>
                <States edited={edited} outdated={outdated} />
              </td>
            </tr>
          ))}
        </CardTable>
      )}
    </>
  );
}

function States({ edited, outdated }: { edited: readonly string[]; outdated: readonly string[] }) {
  const { languages } = useStart();
  if (edited.length === 0) return <span className="text-body-secondary">{t('Default')}</span>;
  return languages
    .filter(({ code }) => edited.includes(code))
    .map(({ code, name }) => (
      <span key={code} className={`tag me-1 ${outdated.includes(code) ? 'choice-warning' : 'choice-info'}`}>
        {outdated.includes(code)
          ? t('{language}: edited, default text has changed', { language: name })
          : t('{language}: edited', { language: name })}
      </span>
    ));
}

function OneMail({ name, lang, onOpen }: { name: string; lang: string; onOpen(name: string, lang: string): void }) {
  const { languages } = useStart();
  const { data } = useSuspenseQuery({
    queryKey: [...key, name, lang],
    queryFn: () => settingsCalls.mailText({ name, lang }),
    gcTime: 0,
  });
  return (
    <>
      <Crumbs current={data.shipped.subject} />
      <div className="settings-tools">
        <fieldset className="apps-states" aria-label={t('Language')}>
          {languages.map(({ code, name: label }) => (
            <button
              key={code}
              type="button"
              className={`btn btn-sm btn-outline-secondary${code === lang ? ' active' : ''}`}
              aria-pressed={code === lang}
              onClick={() => onOpen(name, code)}
            >
              {label}
            </button>
          ))}
        </fieldset>
      </div>
      <Words key={`${data.subject} ${data.body}`} mail={data} />
    </>
  );
}

function Words({ mail }: { mail: MailText }) {
  const { name, lang, shipped, values, isEdited, isOutdated } = mail;
  const client = useQueryClient();
  const [subject, setSubject] = useState(mail.subject);
  const [body, setBody] = useState(mail.body);
  const area = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const isDirty = subject !== mail.subject || body !== mail.body;
  const previewText = useDeferredValue({ subject, body });
  const preview = useQuery({
    queryKey: [...key, name, lang, 'preview', previewText],
    queryFn: () => settingsCalls.previewMailText({ name, lang, ...previewText }),
    enabled: previewText.subject.trim() !== '' && previewText.body.trim() !== '',
    placeholderData: (previous) => previous,
    gcTime: 10_000,
  });
  const faults = preview.data?.faults ?? [];
  const done = (text: string) => async (): Promise<void> => {
    notify(text);
    await client.invalidateQueries({ queryKey: key });
  };
  const save = useMutation({
    mutationFn: () => settingsCalls.changeMailText({ name, lang, subject, body }),
    onSuccess: done(t('Saved.')),
    // Errors in the texts are already shown next to them.
    meta: { hasFields: true },
  });
  const reset = useMutation({
    mutationFn: () => settingsCalls.resetMailText({ name, lang }),
    onSuccess: done(t('Default text restored.')),
  });
  const insert = (value: string): void => {
    const cursor = area.current?.selectionStart ?? body.length;
    setBody(`${body.slice(0, cursor)}{{${value}}}${body.slice(area.current?.selectionEnd ?? cursor)}`);
    area.current?.focus();
  };
  const faultOf = (field: 'subject' | 'body'): string =>
    faults
      .filter((fault) => fault.field === field)
      .map(({ text }) => text)
      .join(' ');
  return (
    <form
      className="mail-words"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <div className="mail-words-edit">
        {isOutdated && (
          <details className="alert alert-warning">
            <summary>{t('The default text has changed since you edited this one.')}</summary>
            <p className="mt-2 mb-1">{shipped.subject}</p>
            <pre className="form-json">{shipped.body}</pre>
          </details>
        )}
        <TextField
          label={t('Subject')}
          error={faultOf('subject')}
          value={subject}
          maxLength={250}
          required
          onChange={setSubject}
        />
        <TextArea
          wrap=""
          className="form-control mail-words-body"
          label={t('Text')}
          help={t('HTML. Put values in double braces, or in single braces in the subject:')}
          error={faultOf('body')}
          ref={area}
          value={body}
          rows={16}
          maxLength={50_000}
          required
          spellCheck={false}
          onChange={setBody}
        />
        <ul className="form-tags" aria-label={t('Values in this email')}>
          {values.map((value) => (
            <li key={value}>
              <button type="button" className="btn btn-sm btn-outline-secondary" onClick={() => insert(value)}>
                {value}
              </button>
            </li>
          ))}
        </ul>
        <p className="settings-foot">
          <button
            type="submit"
            className="btn btn-primary"
            disabled={!isDirty || save.isPending || (faults.length > 0 && !preview.isPlaceholderData)}
          >
            {t('Save')}
          </button>
          {isEdited && (
            <button
              type="button"
              className="btn btn-outline-secondary"
              disabled={reset.isPending}
              onClick={async () => {
                const question = t('Discard your text in this language and use the default?');
                if (await confirmDialog(question, { yes: t('Restore default text'), no: t('Go back') })) reset.mutate();
              }}
            >
              <Icon name="arrow-counterclockwise" /> {t('Restore default text')}
            </button>
          )}
        </p>
      </div>
      <section aria-labelledby={`${id}-preview`} className="mail-words-preview">
        <h2 className="h6" id={`${id}-preview`}>
          {t('Preview')}
        </h2>
        {preview.data && faults.length === 0 && (
          <>
            <p className="fw-bold" data-slot="mail-preview-subject">
              {preview.data.subject}
            </p>
            <iframe
              className="settings-mail"
              title={t('Preview')}
              sandbox="allow-popups allow-popups-to-escape-sandbox"
              srcDoc={preview.data.html}
            />
          </>
        )}
        {faults.length > 0 && <p className="text-body-secondary">{t('Fix the error to preview the email.')}</p>}
      </section>
      <LeaveGuard isDirty={isDirty && !save.isPending} />
    </form>
  );
}
