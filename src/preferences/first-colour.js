// Loaded before the first paint, so that a tablet set to dark never flashes white. `src/preferences/colour-mode.ts` changes the mode later.
(function () {
  let stored = null;
  try {
    stored = localStorage.getItem('colour-mode');
  } catch {
    // Storage may be forbidden; the system's mode is then used.
  }
  const dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.add(dark ? 'dark' : 'light');
})();
