/** Switches a test's page to French; has to be imported first. */
import '@pergola/tools/testing/in-french';
