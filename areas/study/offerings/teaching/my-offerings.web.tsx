import { Button, Progress, Select } from '@mantine/core'
import { IconClipboardText, IconUserCheck, IconUsers } from '@tabler/icons-react'
import { MeetingType } from '#kit/web/timetable/meeting-type.tsx'
import { useMe } from '#kit/web/auth/index.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, Name, Status } from '#kit/web/feedback/index.ts'
import {
  formatDate,
  formatNumber,
  formatPercent,
  formatTimeRange,
  nameOf,
  useLabel,
  useLanguage,
  useT,
} from '#kit/web/i18n/index.ts'
import { Link, screenAt, to, useSearchParams } from '#kit/web/router/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { useUniversity } from '#kit/web/theme/university.ts'
import css from '../offerings.module.css'
import { MeetingTime } from '../parts.web.tsx'
import { CONTROL_STATUSES, TEAM_ROLES } from '#areas/common/academics/offering-words.contract.ts'
import { teachingCalls } from './teaching.contract.ts'
import type { TaughtOffering } from './teaching.contract.ts'

const GRADES = '/offerings/grades/:id'
const ATTENDANCE = '/offerings/attendance/:id'

/** What an instructor teaches in a term: the next meeting, students, and how far the marks are. */
export default function MyOfferings() {
  const t = useT('offerings')
  const lang = useLanguage()
  const platform = useUniversity().lms_platform
  const [query, setQuery] = useSearchParams()
  const chosen = /^\d{1,9}$/.test(query.get('term') ?? '') ? Number(query.get('term')) : undefined
  const { data, error, refetch } = useCall(teachingCalls.mine, {
    body: chosen === undefined ? {} : { term_id: chosen },
  })
  const terms = data?.terms ?? []
  const known = data?.term && !terms.some((x) => x.id === data.term!.id) ? [data.term, ...terms] : terms
  return (
    <Page
      title={t('my_offerings')}
      subtitle={data ? t('offerings_count', { count: data.meta.count }) : '\u00A0'}
      action={
        platform ? (
          <Button component="a" variant="default" href={platform} target="_blank" rel="noreferrer">
            {t('lms_visit')}
          </Button>
        ) : undefined
      }
    >
      {/* Its place is kept while nobody knows of which terms: the cards beneath do not move. */}
      {(known.length > 1 || (!data && !error)) && (
        <Select
          className={css.term}
          disabled={!data}
          size="xs"
          aria-label={t('term')}
          data={known.map((x) => ({ value: String(x.id), label: nameOf(x, lang) }))}
          value={data?.term ? String(data.term.id) : null}
          allowDeselect={false}
          onChange={(id) => setQuery(id ? { term: id } : {})}
        />
      )}
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <ul className={css.cards} aria-busy="true">
          {[1, 2, 3].map((i) => (
            <li key={i} style={{ minBlockSize: 220 }} />
          ))}
        </ul>
      ) : data.data.length ? (
        <ul className={css.cards}>
          {data.data.map((row) => (
            <Card key={row.id} row={row} />
          ))}
        </ul>
      ) : (
        <Empty title={t('my_empty')} text={t('my_empty_text')} />
      )}
    </Page>
  )
}

function Card({ row }: { row: TaughtOffering }) {
  const t = useT('offerings')
  const say = useLabel()
  const lang = useLanguage()
  const me = useMe()
  const status = CONTROL_STATUSES.find((s) => s.value === row.control_status)!
  const role = TEAM_ROLES.find((r) => r.value === row.role)
  const next = row.next && row.meetings.find((m) => m.id === row.next!.slot_id)
  const { expected, entered, due } = row.marks
  const grades = screenAt(GRADES) && me.opens(screenAt(GRADES)!) ? GRADES.replace(':id', String(row.id)) : null
  const attendance =
    screenAt(ATTENDANCE) && me.opens(screenAt(ATTENDANCE)!) ? ATTENDANCE.replace(':id', String(row.id)) : null
  return (
    <li>
      <div>
        <h2>
          <Link to={to('/offering/:id', { id: row.id })}>
            <bdi>{nameOf(row.course, lang)}</bdi>
          </Link>
        </h2>
        <div className={css.cardLine}>
          <Code>
            {row.course.code} ({row.code})
          </Code>
          {role && <span>{say(role.label)}</span>}
          <Status tone={status.tone} label={say(status.label)} />
          {row.seats_from && (
            <span>
              {t('seats_from')} <Code>{row.seats_from}</Code>
            </span>
          )}
        </div>
      </div>
      {next && row.next ? (
        <div className={css.next}>
          <strong>{t('next_meeting')}</strong> {formatDate(row.next.date, 'weekday', lang)}{' '}
          <Code>{formatTimeRange(row.next.start, row.next.end)}</Code>
          <div className={css.cardLine} style={{ color: 'inherit' }}>
            <MeetingType {...next} />
            <span>{t('group', { number: next.group })}</span>
            {next.location && <Name row={next.location} />}
          </div>
        </div>
      ) : (
        <div className={css.cardLine}>{t('no_next_meeting')}</div>
      )}
      <Stack gap={8}>
        {row.meetings.length > 1 && (
          <ul className={css.meetings}>
            {row.meetings.map((m) => (
              <li key={m.id} style={{ gridTemplateColumns: 'auto 1fr', borderBlockEnd: 0, paddingBlockEnd: 0 }}>
                <MeetingType {...m} />
                <span className={css.dim}>
                  {t('group', { number: m.group })} · <MeetingTime meeting={m} short />
                </span>
              </li>
            ))}
          </ul>
        )}
        <dl className={css.numbers}>
          <div>
            <dt>{t('students')}</dt>
            <dd>{formatNumber(row.registered)}</dd>
          </div>
          {row.requested > 0 && (
            <div>
              <dt>{t('requests')}</dt>
              <dd>{formatNumber(row.requested)}</dd>
            </div>
          )}
          <div>
            <dt>{t('groups_number')}</dt>
            <dd>{formatNumber(row.groups)}</dd>
          </div>
        </dl>
        {due && expected > 0 && (
          <div className={css.progress}>
            <span className={css.cardLine} style={{ justifyContent: 'space-between' }}>
              <span>{t('marks_entered')}</span>
              <Code>{formatPercent(entered / expected)}</Code>
            </span>
            <Progress value={(entered / expected) * 100} size="sm" aria-label={t('marks_entered')} />
          </div>
        )}
      </Stack>
      <div className={css.cardActions}>
        {grades && (
          <Button
            component={Link}
            to={grades}
            size="xs"
            variant="default"
            leftSection={<IconClipboardText size={15} aria-hidden />}
          >
            {t('marks')}
          </Button>
        )}
        {attendance && (
          <Button
            component={Link}
            to={attendance}
            size="xs"
            variant="default"
            leftSection={<IconUserCheck size={15} aria-hidden />}
          >
            {t('attendance')}
          </Button>
        )}
        {row.abilities.includes('students') && (
          <Button
            component={Link}
            to={to('/offering/:id', { id: row.id }, { tab: 'students' })}
            size="xs"
            variant="default"
            leftSection={<IconUsers size={15} aria-hidden />}
          >
            {t('students')}
          </Button>
        )}
      </div>
    </li>
  )
}
