// Runs before everything else, in the syntax of old engines. Where the engine lacks what the app needs, the page says in both
// languages what to update, and offers to save the unsent work of an engine that was new enough before an update of the app.
// `docs/browsers.md` lists the floors. The build fills in `notice`, and loads this file with `first-colour.js`.
(function () {
  var notice = {};
  var supports = function (property, value) {
    return typeof CSS !== 'undefined' && CSS.supports(property, value);
  };
  var needs = {
    indexedDB: 'indexedDB' in window,
    promises: 'Promise' in window && 'allSettled' in Promise,
    toReversed: 'toReversed' in Array.prototype,
    findLast: 'findLast' in Array.prototype,
    hasOwn: 'hasOwn' in Object,
    AbortSignal: 'AbortSignal' in window && 'timeout' in AbortSignal,
    BroadcastChannel: 'BroadcastChannel' in window,
    TextDecoderStream: 'TextDecoderStream' in window,
    ResizeObserver: 'ResizeObserver' in window,
    adoptedStyleSheets: 'adoptedStyleSheets' in Document.prototype,
    dialog: 'HTMLDialogElement' in window,
    inert: 'inert' in HTMLElement.prototype,
    reportError: 'reportError' in window,
    containerQueries: supports('container-type', 'inline-size'),
    dynamicHeight: supports('height', '100dvh'),
    colorMix: supports('color', 'color-mix(in srgb, red, blue)'),
  };
  var missing = Object.keys(needs).filter(function (name) {
    return !needs[name];
  });
  if (missing.length === 0) return;

  document.documentElement.setAttribute('data-engine', 'old');
  function element(parent, tag, text) {
    var made = parent.appendChild(document.createElement(tag));
    if (text) made.textContent = text;
    return made;
  }
  function show() {
    var root = document.getElementById('root');
    root.textContent = '';
    var page = element(root, 'main');
    page.style.cssText = 'max-width: 36rem; margin: 0 auto; padding: 2rem 1rem; line-height: 1.5;';
    (notice.texts || []).forEach(function (texts) {
      var part = element(page, 'section');
      part.lang = texts.lang;
      part.style.cssText = 'margin-bottom: 2rem;';
      element(part, 'h1', texts.title).style.cssText = 'font-size: 1.25rem; font-weight: 600;';
      element(part, 'p', texts.text);
    });
    element(page, 'p', missing.join(', ')).style.cssText = 'font-size: 0.8rem; opacity: 0.7;';
    if (!notice.rescue || !('indexedDB' in window)) return;
    window.oldEngine = { page: page, texts: notice.texts };
    element(document.body, 'script').src = notice.rescue;
  }
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', show);
  else show();
})();
