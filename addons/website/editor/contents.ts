import { publicMethod } from '@pergola/web';
import type { Contents } from '../contents.ts';
import { editorBar, editorMarks } from './bar.ts';
import { mediaQuota } from './media/store.ts';
import { pictureWriters } from './media/writers.ts';
import { WebsiteAttachment } from './models/attachment.ts';
import { WebsiteRevision } from './models/revision.ts';
import { revisionsKept } from './revisions.ts';
import { checkLanguages, keepCheck } from './routes/check.ts';
import { block, drawer, saveBlock, snippet } from './routes/drawer.ts';
import { formTexts, goBack, open, pageTexts, save, versions } from './routes/edit.ts';
import { attach, attachFile, picture, pictureInSize } from './routes/media.ts';
import {
  copyPage,
  links,
  menuTree,
  newPage,
  pageSettings,
  removePage,
  saveMenu,
  savePageSettings,
} from './routes/pages.ts';
import { lists } from './security.ts';

/** Models, views and routes of the edit zone and the media library. */
export const editor: Contents = {
  models: [WebsiteRevision, WebsiteAttachment],
  access: lists,
  routes: [
    [open, save, versions, goBack, formTexts, pageTexts],
    [drawer, snippet, block, saveBlock],
    [pageSettings, savePageSettings, newPage, copyPage, removePage, menuTree, saveMenu, links],
    [checkLanguages, keepCheck],
    [attach, attachFile, picture, pictureInSize],
  ],
  points: [pictureWriters],
  fragments: [editorBar],
  settings: [mediaQuota, revisionsKept],
  rendering: editorMarks,
  behaviours: {
    'website.edit-zone': '[data-editor-bar]',
    'website.rich-text': 'textarea[data-rich-text], .rich-text',
    'website.image-crop': '.image-crop',
  },
  publicMethods: [
    publicMethod(WebsiteAttachment, 'try_remove', { right: 'unlink', writes: true }),
    publicMethod(WebsiteAttachment, 'try_remove_file', { right: 'unlink', writes: true }),
  ],
};
