/**
 * Tells a barcode scanner from a person. A scanner is a keyboard that types at least six characters, each within 30 ms of the
 * one before, and ends with Enter or Tab. People do not type like that. Whoever types names by an expander does, so a code has
 * a digit in it. A scanner that sends no key at the end is known by the check digit of a GTIN.
 */
import { isGtin } from '#domain/barcode.ts';

const minimumScanLength = 6;
/** Longest time between two keys of a burst. */
const burstGapMs = 30;

/** What scanners send between the elements of a GS1 code. */
const groupSeparator = '\u001D';

export interface KeyStroke {
  key: string;
  atMs: number;
  /** True with Control, which a scanner holds for what is no printed character. */
  control?: boolean;
}

export interface ScanDetector {
  /** Takes the next key. Returns the code when this key ends a scan, else null. */
  press(stroke: KeyStroke): string | null;
  /** Ends the burst, as after a pause. Returns the code of a scan without an end, else null. */
  pause(): string | null;
  /** Number of characters in the current burst. */
  readonly burstLength: number;
}

export function createScanDetector(): ScanDetector {
  let buffer = '';
  let lastAtMs = Number.NEGATIVE_INFINITY;

  function take(isScan: (code: string) => boolean): string | null {
    const code = buffer;
    buffer = '';
    return isScan(code) ? code : null;
  }

  return {
    get burstLength() {
      return buffer.length;
    },
    press(stroke) {
      const { character, ends } = meaningOf(stroke);
      if (character === null && !ends) return null;
      const inBurst = Math.abs(stroke.atMs - lastAtMs) <= burstGapMs;
      lastAtMs = stroke.atMs;
      if (character === '') buffer = '';
      else if (character !== null) buffer = inBurst ? buffer + character : character;
      return ends ? take((code) => inBurst && code.length >= minimumScanLength && /\d/.test(code)) : null;
    },
    pause: () => take((code) => isGtin(code)),
  };
}

/** A character of a code, empty for a key that no code has, null for one that types nothing; and whether the key ends a code. */
function meaningOf({ key, control = false }: KeyStroke): { character: string | null; ends: boolean } {
  // Some scanners send line feed and carriage return as Control with J and M.
  if (control && /^[jm]$/i.test(key)) return { character: null, ends: true };
  if (control) return { character: key === ']' ? groupSeparator : '', ends: false };
  if (key === 'Enter' || key === 'Tab') return { character: null, ends: true };
  if (key.length === 1) return { character: key, ends: false };
  // A code with capitals or signs holds these between its characters.
  if (['Shift', 'CapsLock', 'Control', 'Alt', 'AltGraph'].includes(key)) return { character: null, ends: false };
  return { character: '', ends: false };
}
