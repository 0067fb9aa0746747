import { Alert, Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { PublicPage } from '#kit/web/app/pages/public.tsx'
import { useChange } from '#kit/web/api/index.ts'
import { Problems } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { useSearchParams } from '#kit/web/router/index.ts'
import { addressCalls } from './address.contract.ts'

/** Where the link in the mail leads: the address is confirmed by a button, because programs open links in mails as well. */
export default function Address() {
  const t = useT('students')
  const [query] = useSearchParams()
  const { busy, problem, go, send } = useChange('/students')
  const [done, setDone] = useState(false)
  const token = query.get('token') ?? ''
  return (
    <PublicPage as="form" title={t('address_title')} text={done ? undefined : t('address_text')}>
      {problem != null && <Problems error={problem} />}
      {done ? (
        <Alert mt="md" icon={<IconCheck size={18} />}>
          {t('address_confirmed')}
        </Alert>
      ) : (
        <Button
          mt="md"
          size="md"
          fullWidth
          loading={busy}
          onClick={() =>
            void go(() => send(addressCalls.confirmAddress, { body: { token } })).then((ok) => ok && setDone(true))
          }
        >
          {t('address_confirm')}
        </Button>
      )}
    </PublicPage>
  )
}
