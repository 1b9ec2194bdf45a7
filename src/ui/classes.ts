/** Joins the class names of an element. */
export const classes = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ');
