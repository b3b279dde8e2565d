/** What other addons may use of website. */
