import { toast } from '../ui/toaster.tsx';
import type { PrintContent } from './document-element.ts';
import { openPrintTarget } from './print-target.ts';

/**
 * Prints a document that is not stored on the device, such as a list or a report. Call it in the tap's handler, before
 * anything is awaited.
 *
 * @param failed title of the toast that shows when the document cannot be made
 */
export async function printContent(contentOf: () => PrintContent, failed: string): Promise<void> {
  const target = openPrintTarget();
  try {
    await target.print(contentOf());
  } catch (error) {
    console.error('The document could not be made.', error);
    target.discard();
    toast({ tone: 'error', title: failed });
  }
}
