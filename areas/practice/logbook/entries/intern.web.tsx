import { useCall } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Empty, Failed } from '#kit/web/feedback/index.ts'
import { formatNumber, nameOf, useT } from '#kit/web/i18n/index.ts'
import { useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page, usePageTitle } from '#kit/web/shell/page.tsx'
import { rosterCalls } from '../roster/roster.contract.ts'
import { logbookCalls as calls } from './entry.contract.ts'
import { Files } from './own.web.tsx'
import { Entries, LogbookProgress, LogbookWanted } from './parts.web.tsx'

/** The logbook of an intern, for who supervises and for the office. */
export default function InternLogbook() {
  const t = useT('logbook')
  const me = useMe()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(calls.show, { params: { id } })
  const { data: duties } = useCall(rosterCalls.ofIntern, { params: { id } }, { enabled: me.can('access_roster') })
  const of = data?.data
  usePageTitle(of?.intern.student)
  return (
    <Page
      title={of?.intern.student}
      subtitle={of ? nameOf(of.intern.year) : '\u00A0'}
      facts={[
        { label: t('entries'), value: of ? formatNumber(of.entries.length) : '–' },
        { label: t('nights'), value: duties ? formatNumber(duties.data.nights) : '–' },
        { label: t('duties_all'), value: duties ? formatNumber(duties.data.all) : '–' },
      ]}
    >
      {error && !of ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !of ? (
        <Bone height={420} />
      ) : (
        <Stack>
          <LogbookProgress courses={of.courses} />
          <Card title={t('wanted')} aside={me.can('export_logbook') ? <Files id={id} /> : undefined}>
            <LogbookWanted courses={of.courses} />
          </Card>
          <Card title={t('entries')}>
            {of.entries.length ? <Entries of={of} /> : <Empty title={t('no_entries')} />}
          </Card>
        </Stack>
      )}
    </Page>
  )
}
