/** Imported before anything else, it shows a test its page in French. */
import '@pergola/tools/testing/in-french';
