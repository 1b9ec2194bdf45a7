import { Eye, EyeOff, Fingerprint } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { InstallHint } from '#src/install/install-hint.tsx';
import { useSession } from '#src/session/session.ts';
import type { SignInFault } from '#src/auth/sign-in.ts';
import { useLockoutText } from '#src/auth/use-lockout-text.ts';
import { Banner } from '#src/ui/banner.tsx';
import { Button, buttonClass } from '#src/ui/button.tsx';
import { IconButton } from '#src/ui/icon-button.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import styles from './sign-in-form.module.css';
import { useSessionOptions } from './use-session-options.ts';
import type { DemoAccount } from './use-session-options.ts';

/** Loads the code that signs in while the person types, because the form shows sooner without it. */
const loadSignIn = () => import('./sign-in-on-device.ts');

type Problem = SignInFault | { code: 'EMPTY' } | { code: 'PASSKEY_UNFIT' };

/** A browser without a database of this app knows nobody's passkey, and need not load what reads it. */
async function isPasskeyHere(): Promise<boolean> {
  if (typeof PublicKeyCredential === 'undefined' || (await indexedDB.databases?.())?.length === 0) return false;
  const { hasPasskeys } = await loadSignIn();
  return hasPasskeys();
}

/** Signs in by password or by passkey, one try at a time, and leaves the page when it is done. */
function useSignIn() {
  const navigate = useNavigate();
  const [submitting, setSubmitting] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  /** @param signIn resolves to the problem, or to null once somebody is signed in; undefined if they gave up */
  async function attempt(signIn: () => Promise<Problem | null | undefined>) {
    if (submitting) return;
    setSubmitting(true);
    setProblem(null);
    const found = await signIn();
    setSubmitting(false);
    if (found === null) await navigate('/', { replace: true });
    else if (found) setProblem(found);
  }

  return {
    submitting,
    problem,
    clearProblem: () => setProblem(null),
    submit: (email: string, password: string) =>
      attempt(async () => {
        if (email === '' || password === '') return { code: 'EMPTY' };
        const { signInOnDevice } = await loadSignIn();
        const answer = await signInOnDevice({ email, password });
        return answer.ok ? null : answer.fault;
      }),
    submitPasskey: () =>
      attempt(async () => {
        const { signInByPasskey } = await loadSignIn();
        const refusal = await signInByPasskey();
        if (!refusal) return null;
        return refusal.code === 'PASSKEY_UNFIT' || refusal.code === 'TOO_OLD' ? { code: refusal.code } : undefined;
      }),
  };
}

export function SignInForm() {
  const { t } = useTranslation();
  const { user, notice, lastEmail, locked } = useSession();
  const { options, unreachable } = useSessionOptions();
  const [email, setEmail] = useState(locked ? '' : (user?.email ?? lastEmail));
  const [password, setPassword] = useState('');
  const [shown, setShown] = useState(false);
  const [byPasskey, setByPasskey] = useState(false);
  const { submitting, problem, clearProblem, submit, submitPasskey } = useSignIn();

  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);

  useEffect(() => {
    // On a phone the focus would open the screen keyboard, which covers half the page.
    if (!matchMedia('(pointer: fine)').matches) return;
    (emailField.current?.value ? passwordField : emailField).current?.focus();
  }, []);

  useEffect(() => {
    void isPasskeyHere().then(setByPasskey);
  }, []);

  return (
    <>
      <div>
        <h1 className={styles['title']}>{t('signIn.title')}</h1>
        <p className={styles['clinic']}>{options?.practice_name ?? t('signIn.subtitle')}</p>
      </div>
      {notice === 'expired' && <Banner tone="due">{t('signIn.expired')}</Banner>}
      <form
        className={styles['form']}
        noValidate
        onInput={() => void loadSignIn()}
        onSubmit={(event) => {
          event.preventDefault();
          void submit(email.trim(), password);
        }}
      >
        <TextField
          label={t('signIn.email')}
          type="email"
          name="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          ref={emailField}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label={t('signIn.password')}
          type={shown ? 'text' : 'password'}
          name="password"
          autoComplete="current-password"
          ref={passwordField}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          end={
            <IconButton
              label={t(shown ? 'signIn.hidePassword' : 'signIn.showPassword')}
              aria-pressed={shown}
              onClick={() => setShown(!shown)}
            >
              {shown ? <EyeOff /> : <Eye />}
            </IconButton>
          }
        />
        {problem && (
          <Banner tone="refused" title={t('signIn.failed')}>
            <ProblemText problem={problem} />
          </Banner>
        )}
        <Button type="submit" variant="primary" wide className={styles['submit']} disabled={submitting}>
          {t(submitting ? 'signIn.submitting' : 'signIn.submit')}
        </Button>
        {byPasskey && (
          <Button type="button" wide disabled={submitting} onClick={() => void submitPasskey()}>
            <Fingerprint aria-hidden />
            {t('signIn.usePasskey')}
          </Button>
        )}
        {user && (
          <Link to="/" className={buttonClass({ variant: 'quiet', wide: true })}>
            {t(locked ? 'lock.backToLock' : 'signIn.continueOffline')}
          </Link>
        )}
      </form>
      {/* Below the form, so that the fields do not move when the hint appears. */}
      {unreachable && <Banner>{t('signIn.offlineHint')}</Banner>}
      {options && options.accounts.length > 0 && (
        <DemoAccounts
          accounts={options.accounts}
          onFill={(account) => {
            void loadSignIn();
            setEmail(account.email);
            setPassword(account.password);
            clearProblem();
          }}
        />
      )}
      {/* Last, and only when the rest is complete, so that nothing moves it. */}
      {(options || unreachable) && <InstallHint />}
    </>
  );
}

function DemoAccounts({ accounts, onFill }: { accounts: DemoAccount[]; onFill: (account: DemoAccount) => void }) {
  const { t } = useTranslation();
  return (
    <section className={styles['demo']}>
      <div>
        <h2>{t('signIn.demo.title')}</h2>
        <p>{t('signIn.demo.text')}</p>
      </div>
      <div className={styles['accounts']}>
        {accounts.map((account) => {
          const role = t(`signIn.demo.${account.role}`);
          return (
            <Button
              key={account.role}
              className={styles['account']}
              title={t('signIn.demo.fill', { role })}
              onClick={() => onFill(account)}
            >
              {role}
            </Button>
          );
        })}
      </div>
    </section>
  );
}

function ProblemText({ problem }: { problem: Problem }) {
  const { t } = useTranslation();
  const lockoutText = useLockoutText();
  switch (problem.code) {
    case 'EMPTY':
      return t('signIn.required');
    case 'UNKNOWN':
    case 'TOO_OLD':
    case 'DEVICE':
      return t(`signIn.offline.${problem.code}`);
    case 'PASSKEY_UNFIT':
      return t('lock.PASSKEY_UNFIT');
    case 'LOCKED':
      return lockoutText(problem.waitMs);
    case 'UNEXPECTED':
      return problem.message || t('signIn.generic');
    default:
      return t(`errors.${problem.code}`);
  }
}
