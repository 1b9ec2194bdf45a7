import { download } from '../../../ui/download.ts';

/** Hands an operation with why it was refused to the person: what support needs, and a copy that nobody can lose. */
export function exportAsJson(content: object, name: string): void {
  download(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }), `${name}.json`);
}
