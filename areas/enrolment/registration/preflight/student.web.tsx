import { Suspense } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { Code, Empty, Failed } from '#kit/web/feedback/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useParams } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { part } from '#kit/web/later.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { preflightCalls } from './preflight.contract.ts'
import { Preflight } from './view.web.tsx'

const Outdated = part<{ student?: number }>(async () => (await import('#kit/web/basis/outdated.tsx')).default)

/** What will stand against the registration of a student, for advisors and registrars. */
export default function StudentPreflight() {
  const t = useT('registration')
  const { id } = useParams()
  return /^[1-9]\d{0,8}$/.test(id ?? '') ? <OfStudent key={id} id={Number(id)} /> : <Empty title={t('no_student')} />
}

function OfStudent({ id }: { id: number }) {
  const t = useT('registration')
  const lang = useLanguage()
  const { data, error, refetch } = useCall(preflightCalls.of, { params: { id } })
  const answer = data?.data
  return (
    <Page
      title={answer ? answer.student : error ? t('preflight') : null}
      subtitle={
        answer ? (
          <>
            <Code>{answer.student.code}</Code> · {t('preflight')}
            {answer.term && <> · {nameOf(answer.term, lang)}</>}
          </>
        ) : (
          '\u00A0'
        )
      }
    >
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <Stack>
          <Preflight answer={answer} studentId={id} />
          <Suspense>
            <Outdated student={id} />
          </Suspense>
        </Stack>
      )}
    </Page>
  )
}
