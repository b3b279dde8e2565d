import { Icon } from '@pergola/web/kit';
import paletteIcon from 'bootstrap-icons/icons/palette.svg';
import xLgIcon from 'bootstrap-icons/icons/x-lg.svg';
import { notify, t } from 'pergola/browser';
import { useEffect, useRef } from 'react';
import { type BlockActions, columnAt } from '../block-actions.ts';
import type { Drawer } from '../calls.ts';
import type { EditSession, SessionView } from '../session.ts';
import { troubleOf } from '../trouble.ts';
import type { ChooseMedia } from './behind-options.tsx';
import { BlockOptions } from './block-options.tsx';
import type { EditForm } from './data-block-options.tsx';
import { SnippetDrawer } from './snippet-drawer.tsx';
import { moveToolFocus } from './tool-button.tsx';

export type PanelTab = 'blocks' | 'options';

export interface SidePanelProps {
  readonly session: EditSession;
  readonly view: SessionView;
  readonly actions: BlockActions;
  readonly drawer: Drawer | null;
  readonly tab: PanelTab;
  onTab(tab: PanelTab): void;
  /** Opens the “Look” panel here; undefined if the user may not change the look. */
  readonly onLook?: (() => void) | undefined;
  onClose(): void;
  readonly onMedia: ChooseMedia;
  readonly onForm: EditForm;
  say(text: string): void;
}

/** Side panel (on phones over the lower part of the page): blocks to insert, and options of the selected block. */
export function SidePanel({
  session,
  view,
  actions,
  drawer,
  tab,
  onTab,
  onLook,
  onClose,
  onMedia,
  onForm,
  say,
}: SidePanelProps) {
  const body = useRef<HTMLDivElement>(null);
  // A new selection scrolls its options to the top; the list of blocks keeps its scroll position.
  const [block, picture] = tab === 'options' ? [view.block?.element, view.picture?.element] : [];
  // biome-ignore lint/correctness/useExhaustiveDependencies: resets the scroll position when they change
  useEffect(() => {
    if (body.current) body.current.scrollTop = 0;
  }, [block, picture, tab]);
  const tabs: [PanelTab, string][] = [
    ['blocks', t('Blocks')],
    ['options', t('Options')],
  ];
  return (
    <aside
      className="ed-panel"
      aria-label={t('Blocks and options')}
      // Dialogs opened from here handle Escape themselves.
      onKeyDown={({ key, currentTarget, target }) =>
        key === 'Escape' && currentTarget.contains(target as Node) && onClose()
      }
    >
      <div className="ed-panel-head">
        <div className="ed-tabs" role="tablist" aria-label={t('Blocks and options')} onKeyDown={moveToolFocus}>
          {tabs.map(([name, label]) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`ed-tab-${name}`}
              aria-selected={tab === name}
              aria-controls="ed-panel-body"
              tabIndex={tab === name ? 0 : -1}
              onClick={() => onTab(name)}
            >
              {label}
            </button>
          ))}
        </div>
        {onLook && (
          <button type="button" className="ed-tool ed-look" onClick={onLook}>
            <Icon of={paletteIcon} />
            <span>{t('Appearance')}</span>
          </button>
        )}
        <button type="button" className="ed-close" aria-label={t('Close')} onClick={onClose}>
          <Icon of={xLgIcon} />
        </button>
      </div>
      <div ref={body} className="ed-panel-body" id="ed-panel-body" role="tabpanel" aria-labelledby={`ed-tab-${tab}`}>
        {tab === 'blocks' ? (
          <SnippetDrawer
            drawer={drawer}
            hasColumn={columnAt(view.block) !== null}
            onInsert={(snippet, place) =>
              void actions
                .insert(snippet, place)
                .then(say, (error: unknown) => notify(troubleOf(error).message, 'alert'))
            }
          />
        ) : (
          <BlockOptions session={session} view={view} drawer={drawer} onMedia={onMedia} onForm={onForm} />
        )}
      </div>
    </aside>
  );
}
