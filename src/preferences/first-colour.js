// Loaded before the first paint, so that a tablet set to dark never flashes white. `src/preferences/colour-mode.ts` changes the
// mode later. In the syntax of old engines, because the build puts it behind `check-engine.js` in one file.
(function () {
  var stored = null;
  try {
    stored = localStorage.getItem('colour-mode');
    // oxlint-disable-next-line no-unused-vars -- old engines need a name here
  } catch (_forbidden) {
    // Storage may be forbidden; the system's mode is then used.
  }
  var dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.add(dark ? 'dark' : 'light');
})();
