/**
 * Saves the unsent work from the page that `check-engine.js` shows in an engine that is too old for the app. It is a script
 * of its own in older syntax, without React and without styles; what it says, it says in both languages.
 */
import { ClinicDatabase } from '#src/db/database.ts';
import { unsettledEntries } from '#src/db/queries/tray.ts';
import { minPassphraseLength } from './rescue-file.ts';
import { saveRescueFile } from './save-rescue.ts';

const names = ['unsent', 'passphrase', 'repeat', 'short', 'differ', 'download', 'saved', 'failed'] as const;
type Texts = Record<(typeof names)[number], string>;

declare global {
  interface Window {
    /** Set by `check-engine.js`. */
    oldEngine?: { page: HTMLElement; texts: Texts[] };
  }
}

async function offerRescue({ page, texts }: NonNullable<Window['oldEngine']>): Promise<void> {
  const say = (name: keyof Texts) => texts.map((language) => language[name]).join(' / ');
  const db = new ClinicDatabase();
  const entries = await unsettledEntries(db);
  if (entries.length === 0) return;

  const form = document.createElement('form');
  const add = <Tag extends keyof HTMLElementTagNameMap>(tag: Tag, text = ''): HTMLElementTagNameMap[Tag] => {
    const made = form.appendChild(document.createElement(tag));
    made.textContent = text;
    made.style.cssText = 'display: block; width: 100%; min-height: 3rem; margin-bottom: 0.5rem; font-size: 1rem;';
    return made;
  };
  const field = (name: 'passphrase' | 'repeat'): HTMLInputElement => {
    const label = add('label', say(name));
    const input = label.appendChild(document.createElement('input'));
    input.type = 'password';
    input.autocomplete = 'new-password';
    input.style.cssText = 'display: block; width: 100%; min-height: 3rem; padding: 0 0.75rem; border: 1px solid;';
    return input;
  };
  add('p', `${say('unsent')}: ${entries.length}`);
  const [passphrase, repeated] = [field('passphrase'), field('repeat')];
  const save = add('button', say('download'));
  save.style.border = '1px solid';
  const told = add('p');
  told.setAttribute('role', 'status');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { value } = passphrase;
    const fault = value.length < minPassphraseLength ? 'short' : value === repeated.value ? null : 'differ';
    told.textContent = fault ? say(fault) : '';
    if (fault) return;
    saveRescueFile(db, entries, value).then(
      () => (told.textContent = say('saved')),
      (error: unknown) => (told.textContent = `${say('failed')} (${String(error)})`),
    );
  });
  page.append(form);
}

if (window.oldEngine) void offerRescue(window.oldEngine);
