import { chakra } from '@chakra-ui/react';
import { Eye, EyeOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { InstallHint } from '../../install/install-hint.tsx';
import { useSession } from '../../session/session.ts';
import type { SignInFault } from '../../auth/sign-in.ts';
import { useLockoutText } from '../../formats/duration.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { DemoAccounts } from './demo-accounts.tsx';
import { useSessionOptions } from './use-session-options.ts';

/** What signing in needs and the form does not is fetched while the person types. */
const loadSignIn = () => import('./sign-in-on-device.ts');

type Problem = SignInFault | { code: 'EMPTY' };

export function SignInForm() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { user, notice, lastEmail, locked } = useSession();
  const { options, unreachable } = useSessionOptions();
  const [email, setEmail] = useState(locked ? '' : (user?.email ?? lastEmail));
  const [password, setPassword] = useState('');
  const [shown, setShown] = useState(false);
  const [submitting, setSubmitting] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);

  useEffect(() => {
    // Where a keyboard is at hand one types at once; on a phone the focus would cover half the page with its keyboard.
    if (!matchMedia('(pointer: fine)').matches) return;
    (emailField.current?.value ? passwordField : emailField).current?.focus();
  }, []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (submitting) return;
    if (email.trim() === '' || password === '') {
      setProblem({ code: 'EMPTY' });
      return;
    }
    setSubmitting(true);
    setProblem(null);
    const { signInOnDevice } = await loadSignIn();
    const answer = await signInOnDevice({ email: email.trim(), password });
    setSubmitting(false);
    if (answer.ok) await navigate('/', { replace: true });
    else setProblem(answer.fault);
  }

  return (
    <>
      <div>
        <chakra.h1 fontSize="xl" fontWeight="semibold" lineHeight="tight" letterSpacing="tight">
          {t('signIn.title')}
        </chakra.h1>
        <chakra.p color="fg.muted" mt="1">
          {options?.practice_name ?? t('signIn.subtitle')}
        </chakra.p>
      </div>
      {notice === 'expired' && <Banner tone="due">{t('signIn.expired')}</Banner>}
      <chakra.form
        display="flex"
        flexDirection="column"
        gap="4"
        noValidate
        onInput={() => void loadSignIn()}
        onSubmit={(event) => void submit(event)}
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
        <Button type="submit" variant="primary" wide mt="2" disabled={submitting}>
          {t(submitting ? 'signIn.submitting' : 'signIn.submit')}
        </Button>
        {user && (
          <Button asChild variant="quiet" wide>
            <Link to="/">{t(locked ? 'lock.backToLock' : 'signIn.continueOffline')}</Link>
          </Button>
        )}
      </chakra.form>
      {/* Under the form: known a moment after it, it must not push the fields away from under a finger. */}
      {unreachable && <Banner>{t('signIn.offlineHint')}</Banner>}
      {options && options.accounts.length > 0 && (
        <DemoAccounts
          accounts={options.accounts}
          onFill={(account) => {
            void loadSignIn();
            setEmail(account.email);
            setPassword(account.password);
            setProblem(null);
          }}
        />
      )}
      {/* Last, and when all above it stands: what comes later would push it down. */}
      {(options || unreachable) && <InstallHint />}
    </>
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
    case 'LOCKED':
      return lockoutText(problem.waitMs);
    case 'UNEXPECTED':
      return problem.message || t('signIn.generic');
    default:
      return t(`errors.${problem.code}`);
  }
}
