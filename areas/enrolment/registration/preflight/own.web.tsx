import { Suspense } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { useEvent } from '#kit/web/auth/index.ts'
import { Failed } from '#kit/web/feedback/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { part } from '#kit/web/later.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { preflightCalls } from './preflight.contract.ts'
import { Preflight } from './view.web.tsx'

const Outdated = part<{ student?: number }>(async () => (await import('#kit/web/basis/outdated.tsx')).default)

/** What will stand against the student's own registration. */
export default function OwnPreflight() {
  const t = useT('registration')
  const lang = useLanguage()
  const { data, error, refetch } = useCall(preflightCalls.own)
  // Paid, or held: the open page says so at once.
  useEvent('holds', () => void refetch())
  const term = data?.data.term
  return (
    <Page title={t('preflight')} subtitle={term ? nameOf(term, lang) : '\u00A0'}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <Stack>
          <Preflight answer={data?.data} studentId={null} />
          <Suspense>
            <Outdated />
          </Suspense>
        </Stack>
      )}
    </Page>
  )
}
