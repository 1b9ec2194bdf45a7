/** What looks like an e-mail address. Whether somebody reads it, only mail can tell. */
export const emailForm = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/;
