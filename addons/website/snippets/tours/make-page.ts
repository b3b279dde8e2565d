import { type TourDefinition, tour } from './point.ts';

/** Shows editors how to create a page, insert a block and publish. */
export const makePage: TourDefinition = tour({
  id: 'website.make_page',
  name: 'Make a page',
  path: '/',
  steps: [
    {
      title: 'Make a page',
      content: 'In a few steps you make a page, put something into it and show it to the world.',
      waitFor: '[data-editor-bar]',
    },
    {
      element: '[data-editor-bar] summary',
      title: 'Open the menu of the page',
      content: 'What can be done with a page is here.',
    },
    { element: '[data-editor-dialog="new-page"]', title: 'Begin a new page' },
    {
      element: 'dialog[open] .dialog-body input:not([type="checkbox"], [type="radio"])',
      title: 'Give it a title',
      content: 'Its address is made from it. Both can be changed later.',
      action: 'type',
      text: 'Our garden',
    },
    {
      element: 'dialog[open] .ed-templates label:nth-of-type(2)',
      title: 'Choose what it begins with',
      content: 'An empty page is as good: blocks can be put in at any time.',
    },
    { element: 'dialog[open] [type="submit"]', title: 'Make it' },
    {
      element: '.ed-bar',
      waitNot: 'dialog[open]',
      title: 'Write',
      content: 'The page is open for editing: press any text and write. Ready-made parts are under “Blocks”.',
      action: 'none',
    },
    {
      element: '[data-snippet="website.quote"]',
      title: 'Put in a quote',
      content: 'Press a block to put it into the page, or drag it to its place.',
    },
    {
      element: '.ed-save:not([disabled])',
      title: 'Save',
      content: 'Until now nobody but you has seen it. What was there before can always be brought back.',
    },
    {
      element: '.css_unpublished .js_publish_btn',
      waitNot: '.ed-bar',
      title: 'Show it to everybody',
    },
    {
      element: 'dialog[open] .dialog-foot .btn-primary',
      title: 'Look through what was found',
      content: 'Whatever stands in a visitor’s way is listed here. The page can be shown all the same.',
    },
    {
      element: '.css_published .js_publish_btn',
      waitNot: 'dialog[open]',
      title: 'There it is',
      content: 'Visitors see the page from now on. The same button takes it back.',
      action: 'none',
    },
  ],
});
