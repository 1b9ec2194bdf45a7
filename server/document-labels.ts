/** The words of papers that the server issues itself, where nobody at a counter chose a language. */
import type { DocumentLabels } from '../domain/order/printed-document.ts';
import { translationsIn } from './translations.ts';

export const documentLanguage = 'en';
const { print, counter } = translationsIn(documentLanguage);
export const documentLabels: DocumentLabels = { ...print.labels, methods: counter.methods };
