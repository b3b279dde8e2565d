/** UI kit for islands, including the components shared with the backend (`#addons/web/kit`). */
export * from '#addons/web/kit';
