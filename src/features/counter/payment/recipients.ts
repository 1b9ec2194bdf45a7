import { create } from 'zustand';
import type { Recipient } from '#domain/tax/document.ts';

/**
 * Whom the full invoice of a payment will name, by treatment; null where the invoice is put off. It outlives the screen, so that
 * a look at the catalogue does not turn a full invoice into a simplified one.
 */
export const useRecipients = create<ReadonlyMap<string, Recipient | null>>()(() => new Map());

export const setRecipient = (orderId: string, recipient: Recipient | null): void =>
  useRecipients.setState((before) => new Map(before).set(orderId, recipient), true);

export const forgetRecipient = (orderId: string): void =>
  useRecipients.setState((before) => new Map([...before].filter(([id]) => id !== orderId)), true);
