/** The words of papers that the server issues itself, where nobody at a counter chose a language. */
import type { PaperLabels } from '../domain/order/paper.ts';
import { wordsIn } from './words.ts';

export const paperLanguage = 'en';
const { print, counter } = wordsIn(paperLanguage);
export const paperLabels: PaperLabels = { ...print.labels, methods: counter.methods };
