import { ScreenTabs } from '#kit/web/detail/parts.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import ResourceList from '#kit/web/list/resource-list.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import bankInfoWeb from './bank-info/bank-info.web.tsx'
import bankWeb from './banks/bank.web.tsx'
import currencyWeb from './currencies/currency.web.tsx'

/** Accounts at banks, currencies, and what payers are told. */
export default function BankSettingsScreen() {
  const t = useT('banks')
  return (
    <Page title={t('bank_settings')}>
      <ScreenTabs
        tabs={[
          { key: 'banks', label: t('banks'), content: () => <ResourceList web={bankWeb} page={false} /> },
          { key: 'currencies', label: t('currencies'), content: () => <ResourceList web={currencyWeb} page={false} /> },
          { key: 'notes', label: t('notes'), content: () => <ResourceList web={bankInfoWeb} page={false} /> },
        ]}
      />
    </Page>
  )
}
