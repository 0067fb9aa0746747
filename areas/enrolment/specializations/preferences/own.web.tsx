import { useCall } from '#kit/web/api/index.ts'
import { Empty, Failed } from '#kit/web/feedback/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { preferenceCalls } from './preferences.contract.ts'
import { WindowCard } from './wishes.web.tsx'

/** A student's own wishes for specialisation, and what became of them. */
export default function OwnSpecialization() {
  const t = useT('specializations')
  const lang = useLanguage()
  const { data, error, refetch } = useCall(preferenceCalls.windows, { query: {} })
  const own = data?.data
  return (
    <Page
      title={t('my_specialization')}
      subtitle={
        own ? (
          <Dotted>
            <bdi>{nameOf(own.student, lang)}</bdi>
            <span>{t('by_figures', { gpa: own.gpa ?? '–', hours: own.passed_hours })}</span>
          </Dotted>
        ) : (
          '\u00A0'
        )
      }
      wide={false}
    >
      {error && !own ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !own ? (
        <Bone height={320} />
      ) : !own.windows.length ? (
        <Empty title={t('no_windows')} text={t('no_windows_text')} />
      ) : (
        <Stack>
          {own.windows.map((window) => (
            <WindowCard key={`${window.id} ${window.version}`} window={window} student={null} />
          ))}
        </Stack>
      )}
    </Page>
  )
}
