const leftwards = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Returns a text that may stand beside others in one line: Arabic or Hebrew letters turn the order of figures and dots beside
 * them, unless isolating characters, which nobody sees, stand around them.
 */
export const isolated = (text: string): string => (leftwards.test(text) ? `\u2068${text}\u2069` : text);
