import { t } from 'pergola/browser';
import { type ComponentType, lazy, Suspense } from 'react';
import { NumberShow } from '../fields/number.tsx';
import type { EditProps, Widgets } from '../fields/registry.tsx';
import { TextShow } from '../fields/text.tsx';
import { FileEdit, FileShow } from './inputs/file.tsx';
import { FilesEdit, FilesShow } from './inputs/files.tsx';
import { HtmlShow } from './inputs/html-show.tsx';
import { JsonEdit, JsonShow } from './inputs/json.tsx';
import { MoneyEdit } from './inputs/money.tsx';
import { PictureEdit, PictureShow } from './inputs/picture.tsx';
import { TableShow } from './inputs/table.tsx';
import { TagsEdit, TagsShow } from './inputs/tags.tsx';
import { LanguageEdit, LanguageShow, ZoneEdit } from './inputs/zones.tsx';
import { LinesEdit, LinesShow } from './lines/lines.tsx';

/** Widget that is loaded when it is first shown. */
function lazyWidget(load: () => Promise<{ default: ComponentType<EditProps> }>): ComponentType<EditProps> {
  const Loaded = lazy(load);
  return function Later(props: EditProps) {
    return (
      <Suspense fallback={<p role="status">{t('Loading…')}</p>}>
        <Loaded {...props} />
      </Suspense>
    );
  };
}

const HtmlEdit = lazyWidget(() => import('./inputs/html-edit.tsx'));

/** Widgets of forms, which extend the widgets of lists. */
export const formWidgets: Widgets = {
  html: { Show: HtmlShow, Edit: HtmlEdit, inList: false },
  image: { Show: PictureShow, Edit: PictureEdit, inList: false },
  money: { Show: NumberShow, Edit: MoneyEdit, inList: true, isNumber: true },
  binary: { Show: FileShow, Edit: FileEdit, inList: false },
  many2many: { Show: TagsShow, Edit: TagsEdit, inList: false },
  one2many: { Show: LinesShow, Edit: LinesEdit, inList: false },
  // Set in views: `{ field: 'lang', widget: 'language' }`.
  language: { Show: LanguageShow, Edit: LanguageEdit, inList: false },
  timezone: { Show: TextShow, Edit: ZoneEdit, inList: false },
  files: { Show: FilesShow, Edit: FilesEdit, inList: false },
  // `{ field: 'money_history', widget: 'table' }`: a table computed by the model.
  table: { Show: TableShow, Edit: null, inList: false },
  json: { Show: JsonShow, Edit: JsonEdit, inList: false },
};
