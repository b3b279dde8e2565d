/** What islands are put together from, together with what the backend uses of it (`#addons/web/kit`). */
export * from '#addons/web/kit';
