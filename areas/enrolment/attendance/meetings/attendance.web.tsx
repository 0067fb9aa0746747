import { Button, Menu, Select, TextInput } from '@mantine/core'
import { IconBan, IconCalendarRepeat, IconDownload, IconQrcode, IconRestore, IconUpload } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { fold } from '#kit/contract/index.ts'
import type { ResponseOf } from '#kit/contract/index.ts'
import { download, useCall } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { part } from '#kit/web/later.ts'
import { act, Code, Empty, Failed, Name, Status, notify, withOverlay } from '#kit/web/feedback/index.ts'
import {
  formatDate,
  formatNumber,
  formatTimeRange,
  nameOf,
  useLabel,
  useLanguage,
  useT,
  weekdays,
} from '#kit/web/i18n/index.ts'
import { useWaiting } from '#kit/web/offline/waiting.ts'
import { Link, to, useParams, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { askReason } from '#kit/web/workflow/index.ts'
import { meetingType } from '#kit/contract/week.ts'
import css from '../attendance.module.css'
import { attendanceCalls as calls } from '../attendance.calls.contract.ts'
import type { AttendancePage, AttendanceSheet } from '../attendance.calls.contract.ts'
import { absenceCaseFlow } from '../absences/case.contract.ts'
import { Face, ShareBar } from '../parts.web.tsx'
import { ATTENDANCE_STATES } from '../states.contract.ts'
import type { AttendanceState } from '../states.contract.ts'
import { useRecording } from './recording.web.ts'
import { ATTENDANCE } from './waiting.web.ts'
import type { WaitingState } from './waiting.web.ts'
import { WriteToClass } from './write.web.tsx'

const MakeUpDialog = part(async () => (await import('./make-up.web.tsx')).default)

type Meeting = AttendancePage['meetings'][number]

/** Attendance of an offering: a meeting, a date, and everybody who comes to it with a tap each. */
export default function Attendance() {
  const t = useT('attendance')
  const say = useLabel()
  const lang = useLanguage()
  const id = Number(useParams().id)
  const [query, setQuery] = useSearchParams()
  const { data, error, refetch } = useCall(calls.page, { params: { id } })
  const page = data?.data
  if (error && !page)
    return (
      <Page title={t('title')}>
        <Failed error={error} title={t('page_failed')} retry={() => void refetch()} />
      </Page>
    )
  const meeting = page && (page.meetings.find((one) => String(one.id) === query.get('meeting')) ?? firstOf(page))
  const date =
    meeting &&
    (meeting.dates.some((one) => one.date === query.get('date')) ? query.get('date')! : lastOf(meeting, page.today))
  const choose = (next: { meeting?: number; date?: string }) =>
    setQuery({ meeting: String(next.meeting ?? meeting?.id), ...(next.date && { date: next.date }) }, { replace: true })
  return (
    <Page
      title={page ? t('title_of', { course: nameOf(page.offering.course, lang) }) : undefined}
      subtitle={
        page ? (
          <>
            <Code>
              {page.offering.course.code} ({page.offering.code})
            </Code>{' '}
            · <bdi>{nameOf(page.offering.term, lang)}</bdi>
          </>
        ) : (
          '\u00A0'
        )
      }
      action={
        page?.abilities.includes('take') &&
        meeting &&
        meeting.dates.some((one) => one.date === page.today && !one.cancelled) ? (
          <Button
            component={Link}
            to={to('/attendance/code/:id/:date', { id: meeting.id, date: page.today })}
            leftSection={<IconQrcode size={16} aria-hidden />}
          >
            {t('show_code')}
          </Button>
        ) : undefined
      }
    >
      {!page ? (
        <Bone height={420} />
      ) : !meeting ? (
        <Empty title={t('no_meetings')} text={t('no_meetings_text')} />
      ) : (
        <Stack>
          {page.offering.submitted && <p className={css.notice}>{t('submitted_text')}</p>}
          <div className={css.bar}>
            <Select
              className={css.grow}
              label={t('meeting')}
              allowDeselect={false}
              data={page.meetings.map((one) => ({
                value: String(one.id),
                label: [
                  say(meetingType(one.type)),
                  one.group_name ?? t('group', { number: one.group }),
                  one.day === null ? t('not_placed') : weekdays('long')[one.day],
                  one.start && formatTimeRange(one.start, one.end!),
                ]
                  .filter(Boolean)
                  .join(' · '),
              }))}
              value={String(meeting.id)}
              onChange={(value) => value && choose({ meeting: Number(value) })}
            />
            <Menu position="bottom-end">
              <Menu.Target>
                <Button variant="default" mt="auto">
                  {t('sheet')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item
                  leftSection={<IconDownload size={16} aria-hidden />}
                  onClick={() =>
                    void withOverlay(
                      download(calls.export, {
                        params: { id: meeting.id },
                        body: { lang: lang === 'ar' ? 'ar' : 'en' },
                      }),
                    ).catch((problem: unknown) => notify.error(problem))
                  }
                >
                  {t('sheet_out')}
                </Menu.Item>
                {page.abilities.includes('take') && (
                  <Menu.Item
                    component={Link}
                    to={to('/attendance/import/:id', { id: meeting.id }, { offering: id })}
                    leftSection={<IconUpload size={16} aria-hidden />}
                  >
                    {t('sheet_in')}
                  </Menu.Item>
                )}
              </Menu.Dropdown>
            </Menu>
          </div>
          <Dates meeting={meeting} today={page.today} chosen={date!} choose={(day) => choose({ date: day })} />
          {date ? (
            <Sheet
              key={`${meeting.id}/${date}`}
              meeting={meeting.id}
              date={date}
              choose={(day) => choose({ date: day })}
            />
          ) : (
            <Empty title={t('no_dates')} text={t('no_dates_text')} />
          )}
        </Stack>
      )}
    </Page>
  )
}

/** The meeting that was held last is what one looks for. */
const firstOf = (page: AttendancePage): Meeting | undefined =>
  page.meetings.find((one) => one.dates.some((day) => day.date === page.today)) ?? page.meetings[0]
const lastOf = (meeting: Meeting, today: string): string | null =>
  (meeting.dates.findLast((one) => one.date <= today) ?? meeting.dates[0])?.date ?? null

function Dates({
  meeting,
  today,
  chosen,
  choose,
}: {
  meeting: Meeting
  today: string
  chosen: string | null
  choose: (date: string) => void
}) {
  const t = useT('attendance')
  const lang = useLanguage()
  return (
    <ul className={css.dates} aria-label={t('dates')}>
      {meeting.dates.map((one) => {
        const came = one.counts.present + one.counts.late
        return (
          <li key={one.date}>
            <button
              ref={(node) => {
                if (one.date === chosen) node?.scrollIntoView({ block: 'nearest', inline: 'center' })
              }}
              type="button"
              className={css.date}
              aria-current={one.date === chosen ? 'date' : undefined}
              data-state={one.cancelled ? 'cancelled' : one.date > today ? 'to_come' : 'past'}
              onClick={() => choose(one.date)}
            >
              <span>{formatDate(one.date, 'short', lang)}</span>
              <small>
                {one.cancelled
                  ? one.made_up
                    ? t('made_up_on', { date: formatDate(one.made_up.date, 'short', lang) })
                    : t('cancelled')
                  : one.taken
                    ? t('came_of', {
                        came: formatNumber(came),
                        all: formatNumber(came + one.counts.absent + one.counts.excused),
                      })
                    : one.date > today
                      ? t('to_come')
                      : t('not_taken')}
              </small>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

function Sheet({ meeting, date, choose }: { meeting: number; date: string; choose: (date: string) => void }) {
  const t = useT('attendance')
  const lang = useLanguage()
  const params = { id: meeting, date }
  const { data, error, refetch } = useCall(calls.sheet, { params })
  const { record } = useRecording(data?.data, params)
  const waiting = useWaiting(ATTENDANCE)
  const [search, setSearch] = useState('')
  const [makingUp, setMakingUp] = useState(false)
  // What was tapped stands at once; the answer brings the rest.
  const [tapped, setTapped] = useState<ReadonlyMap<number, AttendanceState>>(new Map())
  const sheet = data?.data
  if (error && !sheet) return <Failed error={error} title={t('date_failed')} retry={() => void refetch()} />
  if (!sheet) return <Bone height={360} />
  const may = (what: string) => sheet.abilities.includes(what)
  const set = async (student_id: number, state: AttendanceState) => {
    setTapped((kept) => new Map(kept).set(student_id, state))
    try {
      await record({ marks: [{ student_id, state }] })
    } catch (problem) {
      setTapped((kept) => new Map([...kept].filter(([id]) => id !== student_id)))
      notify.error(problem)
    }
  }
  // What was recorded without a line stands where it will stand.
  const kept = new Map(
    waiting
      .filter((one) => !one.problem)
      .map((one) => one.data as WaitingState)
      .filter((one) => one.meeting === meeting && one.date === date)
      .map((one) => [one.student_id, one.state]),
  )
  const stateOf = ({ student, state }: AttendanceSheet['students'][number]) =>
    tapped.get(student.id) ?? (kept.has(student.id) ? kept.get(student.id)! : state)
  const word = fold(search)
  const shown = sheet.students.filter(
    ({ student }) =>
      !word || [student.name, student.name_local, student.code].some((text) => fold(text ?? '').includes(word)),
  )
  return (
    <Card title={formatDate(date, 'weekday', lang)}>
      <Stack gap={12}>
        <SheetNotices sheet={sheet} choose={choose} />
        {makingUp && (
          <Suspense fallback={null}>
            <MakeUpDialog
              meeting={meeting}
              date={date}
              onClose={() => setMakingUp(false)}
              onDone={(on) => {
                setMakingUp(false)
                choose(on)
              }}
            />
          </Suspense>
        )}
        <div className={css.bar}>
          <TextInput
            className={css.grow}
            type="search"
            aria-label={t('search')}
            placeholder={t('search')}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <SheetButtons
            sheet={sheet}
            date={date}
            params={params}
            onMark={() => setTapped(new Map())}
            onMakeUp={() => setMakingUp(true)}
          />
        </div>
        {shown.length ? (
          <ul className={css.people}>
            {shown.map((row) => (
              <Person
                key={row.student.id}
                row={row}
                state={stateOf(row)}
                set={may('take') ? (state) => void set(row.student.id, state) : null}
              />
            ))}
          </ul>
        ) : (
          <Empty title={t('nobody')} text={search ? t('nobody_found') : t('nobody_text')} />
        )}
      </Stack>
    </Card>
  )
}

type SheetData = ResponseOf<typeof calls.sheet>['data']

/** That the meeting was cancelled, or makes up for one that was. */
function SheetNotices({ sheet, choose }: { sheet: SheetData; choose: (date: string) => void }) {
  const t = useT('attendance')
  const lang = useLanguage()
  return (
    <>
      {sheet.cancelled !== null && (
        <p className={css.notice}>
          {t('is_cancelled')} <bdi>{sheet.cancelled}</bdi>
          {sheet.made_up && (
            <>
              {' '}
              <button type="button" className={css.inlineLink} onClick={() => choose(sheet.made_up!.date)}>
                {t('is_made_up', {
                  date: formatDate(sheet.made_up.date, 'weekday', lang),
                  time: formatTimeRange(sheet.made_up.start, sheet.made_up.end),
                  place: sheet.made_up.location ? nameOf(sheet.made_up.location, lang) : '–',
                })}
              </button>
            </>
          )}
        </p>
      )}
      {sheet.makes_up !== null && sheet.meeting.start && (
        <p className={css.notice}>
          {t('makes_up', {
            date: formatDate(sheet.makes_up, 'weekday', lang),
            time: formatTimeRange(sheet.meeting.start, sheet.meeting.end!),
            place: sheet.meeting.location ? nameOf(sheet.meeting.location, lang) : '–',
          })}
        </p>
      )}
    </>
  )
}

/** What is done with all who should be there, and with the meeting itself. */
function SheetButtons({
  sheet,
  date,
  params,
  onMark,
  onMakeUp,
}: {
  sheet: SheetData
  date: string
  params: { id: number; date: string }
  onMark: () => void
  onMakeUp: () => void
}) {
  const t = useT('attendance')
  const lang = useLanguage()
  const { busy, send, record } = useRecording(sheet, params)
  const may = (what: string) => sheet.abilities.includes(what)
  const mark = (body: { all?: AttendanceState; rest?: AttendanceState }, done: string) => {
    onMark()
    const before = sheet.students.map((one) => ({ student_id: one.student.id, state: one.state }))
    return act({
      go: () => record(body),
      done: () => done,
      undo: () => record({ marks: before }),
    })
  }
  const cancel = async () => {
    const reason = await askReason({
      title: t('cancel_question', { date: formatDate(date, 'long', lang) }),
      text: t('cancel_text', { count: sheet.students.length }),
      action: t('cancel'),
      danger: true,
      go: (text) => send(calls.cancel, { params, body: { reason: text } }),
    })
    if (reason !== null) notify.undo(t('cancel_done'), () => send(calls.restore, { params }))
  }
  const restore = () =>
    act({ go: () => send(calls.restore, { params }), done: ({ data: { told } }) => t('restored', { count: told }) })
  return (
    <>
      {may('take') && (
        <>
          <Button
            variant="default"
            disabled={busy}
            onClick={() => void mark({ all: 'present' }, t('all_present_done'))}
          >
            {t('all_present')}
          </Button>
          <Button
            variant="default"
            disabled={busy}
            onClick={() => void mark({ rest: 'absent' }, t('rest_absent_done'))}
          >
            {t('rest_absent')}
          </Button>
          <Button variant="default" disabled={busy} onClick={() => void mark({ all: 'absent' }, t('all_absent_done'))}>
            {t('all_absent')}
          </Button>
        </>
      )}
      {may('take') && <WriteToClass meeting={params.id} date={date} />}
      {may('cancel') && (
        <Button
          variant="subtle"
          color="red"
          leftSection={<IconBan size={16} aria-hidden />}
          onClick={() => void cancel()}
        >
          {t('cancel')}
        </Button>
      )}
      {may('make_up') && (
        <Button leftSection={<IconCalendarRepeat size={16} aria-hidden />} onClick={() => onMakeUp()}>
          {t('make_up')}
        </Button>
      )}
      {may('restore') && (
        <Button variant="default" leftSection={<IconRestore size={16} aria-hidden />} onClick={() => void restore()}>
          {t('restore')}
        </Button>
      )}
    </>
  )
}

function Person({
  row,
  state,
  set,
}: {
  row: AttendanceSheet['students'][number]
  state: AttendanceState | null
  set: ((state: AttendanceState) => void) | null
}) {
  const t = useT('attendance')
  const say = useLabel()
  const me = useMe()
  const found = absenceCaseFlow.states.find((one) => one.value === row.case && one.value !== 'closed')
  return (
    <li className={css.person}>
      <Face row={row.student} photo={row.photo} />
      <span className={css.name}>
        {me.can('access_attendance') ? (
          <Link to={to('/student/attendance/:id', { id: row.student.id })}>
            <Name row={row.student} />
          </Link>
        ) : (
          <Name row={row.student} />
        )}
        <small>
          <Code>{row.student.code}</Code>
          {row.by_scan && ` · ${t('by_scan')}`}
          {row.by_excuse && ` · ${t('by_excuse')}`}
        </small>
        {found && <Status tone={found.tone} label={say(found.label)} />}
      </span>
      <ShareBar share={row.share} />
      <span className={css.states} role="group" aria-label={t('state_of', { name: nameOf(row.student) })}>
        {ATTENDANCE_STATES.map((attendanceState) => (
          <button
            key={attendanceState.value}
            type="button"
            data-tone={attendanceState.tone}
            aria-pressed={state === attendanceState.value}
            disabled={!set}
            onClick={() => set?.(attendanceState.value)}
          >
            {say(attendanceState.label)}
          </button>
        ))}
      </span>
    </li>
  )
}
