/** The words of papers that the server issues itself, where nobody at a counter chose a language. */
import english from '../locales/en.json' with { type: 'json' };
import type { PaperLabels } from '../domain/order/paper.ts';

export const paperLanguage = 'en' as const;
export const paperLabels: PaperLabels = { ...english.print.labels, methods: english.counter.methods };
