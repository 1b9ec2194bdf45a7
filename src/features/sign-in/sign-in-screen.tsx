import { CloudOff, ReceiptText, RefreshCw, ShieldCheck } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router-dom';
import { LanguageChoice } from '#src/preferences/choices.tsx';
import { hasCurrentToken, signInAgain, useSession } from '#src/session/session.ts';
import { Mark } from '#src/ui/mark.tsx';
import { SignInForm } from './sign-in-form.tsx';
import styles from './sign-in-screen.module.css';

export function SignInScreen() {
  const { t } = useTranslation();
  const location = useLocation();
  const mode = useSession((state) => state.mode);
  useEffect(() => {
    document.title = `${t('signIn.title')} · ${t('app.name')}`;
    return () => {
      document.title = t('app.name');
    };
  }, [t]);
  if (mode === 'online' && hasCurrentToken() && location.state !== signInAgain) return <Navigate to="/" replace />;
  return (
    <div className={styles['page']}>
      <BrandPanel />
      <main className={styles['main']}>
        <div className={styles['head']}>
          <span className={styles['name']}>
            <Mark />
            {t('app.name')}
          </span>
          <LanguageChoice />
        </div>
        <div className={styles['sheet']}>
          <SignInForm />
        </div>
      </main>
    </div>
  );
}

const features = [
  ['offline', CloudOff],
  ['invoice', ReceiptText],
  ['sync', RefreshCw],
  ['safe', ShieldCheck],
] as const;

function BrandPanel() {
  const { t } = useTranslation();
  return (
    <aside className={styles['brand']} aria-label={t('app.name')}>
      <div className={styles['brandName']}>
        <Mark />
        <span>{t('app.name')}</span>
      </div>
      <div className={styles['promise']}>
        <p className={styles['headline']}>{t('signIn.brand.headline')}</p>
        <p className={styles['text']}>{t('signIn.brand.text')}</p>
      </div>
      <ul>
        {features.map(([feature, Icon]) => (
          <li key={feature} className={styles['feature']}>
            <span aria-hidden>
              <Icon size={20} />
            </span>
            <div>
              <p>{t(`signIn.brand.features.${feature}.title`)}</p>
              <p>{t(`signIn.brand.features.${feature}.text`)}</p>
            </div>
          </li>
        ))}
      </ul>
    </aside>
  );
}
