/** A part of the product to take pictures of. Each scene runs in a browser profile of its own, once for each look. */
import type { Page } from '@playwright/test';
import type { DemoRole, Tablet } from '../support/tablet.ts';

export const sizes = {
  phone: { width: 390, height: 844 },
  portrait: { width: 820, height: 1180 },
  landscape: { width: 1180, height: 820 },
  desk: { width: 1440, height: 900 },
};

export interface Look {
  size: keyof typeof sizes;
  colorScheme: 'light' | 'dark';
  language: 'en' | 'es';
}

export interface Camera {
  page: Page;
  tablet: Tablet;
  look: Look;
  /** Returns a text of the screen in the language of the look, such as `counter.discount.add`. */
  text: (key: string) => string;
  /** Takes a picture of the window once animations have ended. */
  picture: (name: string) => Promise<void>;
  /** Opens an address within the product and takes a picture once its data are there. */
  visit: (name: string, address: string) => Promise<void>;
}

export interface Scene {
  name: string;
  /** The demo account that the profile is signed in with; none for the sign-in page. */
  role?: DemoRole;
  take: (camera: Camera) => Promise<void>;
}

/** Returns a scene that visits pages and nothing else. `pages` maps names of pictures to addresses. */
export function pagesScene(name: string, role: DemoRole, pages: Record<string, string>): Scene {
  return {
    name,
    role,
    take: async ({ visit }) => {
      for (const [picture, address] of Object.entries(pages)) await visit(picture, address);
    },
  };
}
