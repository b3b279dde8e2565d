/** UI kit for islands, including the components shared with the backend (`@pergola/web/kit`). */
export * from '@pergola/web/kit';
