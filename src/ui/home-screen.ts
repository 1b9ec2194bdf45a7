/** Whether the app runs from the home screen, and on which kind of device. */

export const isInstalled = (): boolean =>
  matchMedia('(display-mode: standalone)').matches || ('standalone' in navigator && navigator.standalone === true);

/** iPads identify as Macs, but have touch screens. Every browser there is WebKit. */
export const isIos = (): boolean =>
  /iPhone|iPad/.test(navigator.userAgent) || (navigator.userAgent.includes('Mac OS') && navigator.maxTouchPoints > 1);

/** Apple's WebKit deletes what a tab keeps after seven days without a visit, and gives an installed app storage of its own. */
export const isSafari = (): boolean =>
  isIos() || (navigator.userAgent.includes('Mac OS') && navigator.vendor.startsWith('Apple'));
