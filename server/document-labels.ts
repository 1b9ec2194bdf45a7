/** The words of papers that the server issues itself, where nobody at a counter chose a language. */
import type { DocumentLabels } from '../domain/order/printed-document.ts';
import { wordsIn } from './words.ts';

export const documentLanguage = 'en';
const { print, counter } = wordsIn(documentLanguage);
export const documentLabels: DocumentLabels = { ...print.labels, methods: counter.methods };
