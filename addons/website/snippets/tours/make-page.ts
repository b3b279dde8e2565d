import { type TourDefinition, tour } from './point.ts';

/** Shows editors how to create a page, insert a block and publish. */
export const makePage: TourDefinition = tour({
  id: 'website.make_page',
  name: 'Create a page',
  path: '/',
  steps: [
    {
      title: 'Create a page',
      content: 'Create a page, add content and publish it in a few steps.',
      waitFor: '[data-editor-bar]',
    },
    {
      element: '[data-editor-bar] summary',
      title: 'Open the page menu',
      content: 'All page actions are here.',
    },
    { element: '[data-editor-dialog="new-page"]', title: 'Start a new page' },
    {
      element: 'dialog[open] .dialog-body input:not([type="checkbox"], [type="radio"])',
      title: 'Give it a title',
      content: 'The address is based on the title. You can change both later.',
      action: 'type',
      text: 'Our garden',
    },
    {
      element: 'dialog[open] .ed-templates label:nth-of-type(2)',
      title: 'Choose a starting point',
      content: 'An empty page works too: you can add blocks at any time.',
    },
    { element: 'dialog[open] [type="submit"]', title: 'Create it' },
    {
      element: '.ed-bar',
      waitNot: 'dialog[open]',
      title: 'Add text',
      content: 'The page is ready to edit. Select any text and start typing. Ready-made parts are under “Blocks”.',
      action: 'none',
    },
    {
      element: '[data-snippet="website.quote"]',
      title: 'Add a quote',
      content: 'Select a block to add it to the page, or drag it into place.',
    },
    {
      element: '.ed-save:not([disabled])',
      title: 'Save',
      content: 'Only you have seen it so far. You can always restore earlier versions.',
    },
    {
      element: '.css_unpublished .js_publish_btn',
      waitNot: '.ed-bar',
      title: 'Publish it',
    },
    {
      element: 'dialog[open] .dialog-foot .btn-primary',
      title: 'Review the issues',
      content: 'Issues visitors will notice are listed here. You can publish the page anyway.',
    },
    {
      element: '.css_published .js_publish_btn',
      waitNot: 'dialog[open]',
      title: 'It’s live',
      content: 'Visitors can now see the page. Use the same button to unpublish it.',
      action: 'none',
    },
  ],
});
