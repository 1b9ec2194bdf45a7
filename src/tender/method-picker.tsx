import { chakra, Grid } from '@chakra-ui/react';
import { Banknote, CreditCard, ShieldPlus, Wallet } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { paymentMethods } from '../../domain/order/vocabulary.ts';
import type { PaymentMethod } from '../../domain/order/vocabulary.ts';

const icons = { cash: Banknote, card: CreditCard, insurance: ShieldPlus, others: Wallet };

export function MethodPicker({
  method,
  onChange,
}: {
  method: PaymentMethod;
  onChange: (method: PaymentMethod) => void;
}) {
  const { t } = useTranslation();
  return (
    <Grid as="fieldset" aria-label={t('counter.payment.method')} templateColumns="repeat(4, minmax(0, 1fr))" gap="2">
      {paymentMethods.map((each) => {
        const Icon = icons[each];
        return (
          <chakra.button
            key={each}
            type="button"
            aria-pressed={each === method}
            onClick={() => onChange(each)}
            display="flex"
            flexDirection="column"
            alignItems="center"
            justifyContent="center"
            gap={{ base: '0', md: '1' }}
            minHeight={{ base: '14', md: '16' }}
            px="1"
            bg="bg.surface"
            borderWidth="1px"
            borderColor="border.strong"
            borderRadius="md"
            fontSize="sm"
            fontWeight="medium"
            cursor="pointer"
            _hover={{ bg: 'bg.hover' }}
            _pressed={{
              bg: 'accent.subtle',
              borderColor: 'accent.solid',
              color: 'accent.fg',
              boxShadow: 'inset 0 0 0 1px currentColor',
            }}
          >
            <Icon size={20} aria-hidden />
            {t(`counter.methods.${each}`)}
          </chakra.button>
        );
      })}
    </Grid>
  );
}
