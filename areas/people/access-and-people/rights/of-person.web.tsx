import { Empty } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { PersonRights } from './access.web.tsx'

/** Roles and rights on the page of a person. Who has no account yet is given them with the invitation or after it. */
export function RightsOf({ account }: { account: number | null }) {
  const t = useT('access-and-people')
  return account === null ? (
    <Empty title={t('rights_no_account')} text={t('rights_no_account_text')} />
  ) : (
    <PersonRights id={account} />
  )
}
