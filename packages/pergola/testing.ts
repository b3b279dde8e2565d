/** What tests of addons use. Not there on a running site. */
export * from '@pergola/tools/testing';
