/**
 * Light, dark, or the system's mode, as a class on `<html>`. `first-colour.js` sets it before the first paint,
 * this module when the person or the system changes it.
 */
import { create } from 'zustand';

export const colourModes = ['system', 'light', 'dark'] as const;
export type ColourMode = (typeof colourModes)[number];

const key = 'colour-mode';
const systemDark = matchMedia('(prefers-color-scheme: dark)');

function stored(): ColourMode {
  const value = localStorage.getItem(key);
  return value === 'light' || value === 'dark' ? value : 'system';
}

export const useColourMode = create<{ mode: ColourMode }>(() => ({ mode: stored() }));

function apply(): void {
  const { mode } = useColourMode.getState();
  const dark = mode === 'dark' || (mode === 'system' && systemDark.matches);
  document.documentElement.classList.toggle('dark', dark);
  document.documentElement.classList.toggle('light', !dark);
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', dark ? '#101718' : '#f6f5f1');
}

export function setColourMode(mode: ColourMode): void {
  if (mode === 'system') localStorage.removeItem(key);
  else localStorage.setItem(key, mode);
  useColourMode.setState({ mode });
  apply();
}

export function followColourMode(): void {
  apply();
  systemDark.addEventListener('change', apply);
}
