import { BusyButton, Icon } from '@pergola/web/kit';
import xLgIcon from 'bootstrap-icons/icons/x-lg.svg';
import { t } from 'pergola/browser';
import { useEffect, useId, useRef, useState } from 'react';
import { troubleOf } from '../../editor/browser/trouble.ts';
import { showBeside } from '../../islands/parts/show-beside.ts';
import { reloadPage } from '../../snippets/browser/scroll-hash.ts';
import { type Look, type LookAbout, lookCalls, type Pictures } from './calls.ts';
import { OwnColours } from './own-colours.tsx';
import { PictureInput } from './picture-input.tsx';
import { Radios } from './radios.tsx';
import { type Shown, useShown } from './use-shown.ts';

/**
 * Opens the panel next to the page, unless it is already open.
 *
 * @param website website to edit; by default the site of the page
 */
export async function openLookPanel(website?: number): Promise<void> {
  if (document.querySelector('.look-root')) return;
  const saved = ({ id, isHere }: LookAbout['site']): void => {
    if (isHere) reloadPage();
    else location.assign(`/web/m/website/${id}`);
  };
  await showBeside(document.body, 'look-root', (end) => {
    const close = (): void => {
      end();
      document.querySelector<HTMLElement>('.editor-bar-menu > summary')?.focus();
    };
    return <LookPanel website={website} onClose={close} onSaved={saved} />;
  });
}

/** Panel that edits the look of a site, with a live preview on the page. */
export function LookPanel({
  website,
  onClose,
  onSaved,
}: {
  website?: number | undefined;
  onClose(): void;
  onSaved(site: LookAbout['site'], hasPictures: boolean): void | Promise<void>;
}) {
  const [lookData, setLookData] = useState<LookAbout | null>(null);
  const [trouble, setTrouble] = useState('');
  useEffect(() => {
    lookCalls.open(website).then(setLookData, (error: unknown) => setTrouble(troubleOf(error).message));
  }, [website]);
  const title = useId();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <aside
      className="look-panel"
      aria-labelledby={title}
      tabIndex={-1}
      ref={panel}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <div className="look-head">
        <h2 id={title}>{t('Appearance')}</h2>
        <button type="button" className="btn btn-sm btn-icon" aria-label={t('Close')} onClick={onClose}>
          <Icon of={xLgIcon} />
        </button>
      </div>
      {trouble && (
        <p className="alert alert-danger m-3" role="alert">
          {trouble}
        </p>
      )}
      {lookData && <LookForm lookData={lookData} onClose={onClose} onSaved={onSaved} />}
    </aside>
  );
}

function LookForm({
  lookData,
  onClose,
  onSaved,
}: {
  lookData: LookAbout;
  onClose(): void;
  onSaved(site: LookAbout['site'], hasPictures: boolean): void | Promise<void>;
}) {
  const [look, setLook] = useState(lookData.look);
  const [scheme, setScheme] = useState<Shown>('auto');
  const [pictures, setPictures] = useState<Pictures>({});
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState('');
  const faults = useShown(look, scheme, lookData.panel);
  const change = (changes: Partial<Look>): void => setLook({ ...look, ...changes });
  const isChanged = JSON.stringify(look) !== JSON.stringify(lookData.look) || Object.keys(pictures).length > 0;
  const save = async (): Promise<void> => {
    setBusy(true);
    setTrouble('');
    try {
      await lookCalls.save(lookData.site.id, look, pictures);
      await onSaved(lookData.site, Object.keys(pictures).length > 0);
    } catch (error) {
      setTrouble(troubleOf(error).message);
      setBusy(false);
    }
  };
  const currentPalette = lookData.palettes.find(({ id }) => id === look.palette) ?? lookData.palettes[0];
  return (
    <form
      className="look-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className="look-body">
        <p className="form-text mt-0">
          {lookData.site.isHere
            ? t('For {site}. The page shows changes right away. Visitors see them when you save.', {
                site: lookData.site.name,
              })
            : t(
                'For {site}. This page belongs to another website and only serves as a preview. Visitors to {site} see the changes when you save.',
                {
                  site: lookData.site.name,
                },
              )}
        </p>
        <Radios<Shown>
          legend={t('Show page')}
          value={scheme}
          choices={[
            { id: 'auto', label: t('Automatic') },
            { id: 'light', label: t('Light') },
            { id: 'dark', label: t('Dark') },
          ]}
          onChange={setScheme}
        />
        <Radios
          legend={t('Colours')}
          value={look.palette}
          choices={[...lookData.palettes, { id: 'own', label: t('Custom colours') }]}
          swatchOf={(id) => lookData.palettes.find((palette) => palette.id === id) ?? (id === 'own' ? look.own : null)}
          onChange={(palette) =>
            change({
              palette,
              own:
                palette === 'own'
                  ? (look.own ?? (currentPalette ? { light: currentPalette.light, dark: currentPalette.dark } : null))
                  : look.own,
            })
          }
        />
        {look.palette === 'own' && look.own && (
          <OwnColours colours={look.own} faults={faults} onChange={(colours) => change({ own: colours })} />
        )}
        <Radios
          legend={t('Letters')}
          value={look.fonts}
          choices={lookData.fonts}
          onChange={(fonts) => change({ fonts })}
        />
        <Radios<Look['buttons']>
          legend={t('Buttons')}
          value={look.buttons}
          choices={[
            { id: 'filled', label: t('Filled') },
            { id: 'soft', label: t('Tinted') },
            { id: 'outline', label: t('Outlined') },
          ]}
          onChange={(buttons) => change({ buttons })}
        />
        <Radios<Look['corners']>
          legend={t('Corners')}
          value={look.corners}
          choices={[
            { id: 'square', label: t('Square') },
            { id: 'soft', label: t('Slightly rounded') },
            { id: 'round', label: t('Fully rounded') },
          ]}
          onChange={(corners) => change({ corners })}
        />
        <Radios<Look['density']>
          legend={t('Spacing')}
          value={look.density}
          choices={[
            { id: 'compact', label: t('Compact') },
            { id: 'normal', label: t('Standard') },
            { id: 'airy', label: t('Spacious') },
          ]}
          onChange={(density) => change({ density })}
        />
        <Radios
          legend={t('Header')}
          value={look.header}
          choices={lookData.headers}
          onChange={(header) => {
            change({ header });
            scrollTo({ top: 0 });
          }}
        />
        <Radios
          legend={t('Footer')}
          value={look.footer}
          choices={lookData.footers}
          onChange={(footer) => {
            change({ footer });
            scrollTo({ top: document.body.scrollHeight });
          }}
        />
        <PictureInput
          label={t('Logo')}
          help={t('Shown in the header instead of the site name, 40 pixels high.')}
          source={lookData.site.logo}
          onChange={(logo) => setPictures({ ...pictures, logo })}
        />
        <PictureInput
          label={t('Logo for dark backgrounds')}
          help={t('If empty, the standard logo is used.')}
          source={lookData.site.logo_dark}
          onChange={(logo_dark) => setPictures({ ...pictures, logo_dark })}
        />
        <PictureInput
          label={t('Icon')}
          help={t('A square image of at least 180 pixels, for browser tabs and home screens.')}
          source={lookData.site.favicon}
          onChange={(favicon) => setPictures({ ...pictures, favicon })}
        />
        <PictureInput
          label={t('Icon for dark backgrounds')}
          help={t('If empty, the standard icon is used.')}
          source={lookData.site.favicon_dark}
          onChange={(favicon_dark) => setPictures({ ...pictures, favicon_dark })}
        />
      </div>
      <div className="look-foot">
        {(trouble || Object.keys(faults).length > 0) && (
          <p className="text-danger mb-0" role="alert">
            {trouble || t('Some of these colours don’t have enough contrast.')}
          </p>
        )}
        <button type="button" className="btn btn-outline-secondary me-auto" onClick={() => setLook(lookData.shipped)}>
          {t('Reset')}
        </button>
        <button type="button" className="btn btn-outline-secondary" onClick={onClose}>
          {t('Cancel')}
        </button>
        <BusyButton
          type="submit"
          className="btn btn-primary"
          busy={isBusy}
          disabled={!isChanged || Object.keys(faults).length > 0}
        >
          {t('Save')}
        </BusyButton>
      </div>
    </form>
  );
}
