import { RecordLink } from '#kit/web/detail/record-link.tsx'
import { Button, Menu } from '@mantine/core'
import {
  IconArrowBackUp,
  IconClipboardText,
  IconLock,
  IconLockOpen,
  IconPencil,
  IconSchool,
  IconTrash,
  IconUserCheck,
} from '@tabler/icons-react'
import { MeetingType } from '#kit/web/timetable/meeting-type.tsx'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { HistoryOf } from '#kit/web/detail/history.tsx'
import { Facts, FactsOf, Identity, ScreenTabs } from '#kit/web/detail/parts.tsx'
import type { ScreenTab } from '#kit/web/detail/parts.tsx'
import { Code, Empty, Failed, Name, Status, notify, useShortcut } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { formatNumber, nameOf, problemText, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useRemoving } from '#kit/web/list/resource-list.tsx'
import { screenAt, to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Cards, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { lmsCalls } from './lms/lms.contract.ts'
import { offering, offeringCalls } from './offering.contract.ts'
import css from './offerings.module.css'
import { SeatBar, offeringCode, offerings } from './parts.web.tsx'
import type { OfferingRow } from './parts.web.tsx'
import { Statistics } from './reports/statistics.web.tsx'
import { Meetings } from './slots/meetings.web.tsx'
import { Students } from './students.web.tsx'
import { Instructors, Linked, OfferingPrograms } from './team/team.web.tsx'
import { CONTROL_STATUSES } from '#areas/common/academics/offering-words.contract.ts'

const web = resourceWeb(offering)
const GRADES = '/offerings/grades/:id'
const ATTENDANCE = '/offerings/attendance/:id'

/** One offering: what it is, its seats, and everything about it under tabs. */
export default function Offering() {
  const id = Number(useParams().id)
  const t = useT('offerings')
  const k = useT('kit-screens')
  const say = useLabel()
  const lang = useLanguage()
  const navigate = useNavigate()
  const menuOf = useOfferingMenu()
  const tabsOf = useOfferingTabs()
  const { data, error, refetch } = useCall(offerings.get, { params: { id } })
  const { restore } = useRemoving(web)
  const row = data?.data
  const able = (ability: string) => row?.abilities.includes(ability) ?? false
  const edit = row && (able('edit') || able('slots')) && !row.removed ? to('/offering/edit/:id', { id }) : null
  useShortcut('e', () => edit && void navigate(edit), edit ? k('edit') : null)

  if (error && !row) {
    return (
      <Page title={say(offering.one)}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  }
  if (!row) {
    return (
      <Page title={null}>
        <Stack>
          <Bone height={84} />
          <Bone />
        </Stack>
      </Page>
    )
  }
  const status = CONTROL_STATUSES.find((s) => s.value === row.control_status)
  const attempt = (work: Promise<unknown>) => void work.catch((problem: unknown) => notify.error(problem))
  const grades = screenAt(GRADES) && able('marks') ? GRADES.replace(':id', String(id)) : null
  const menu = menuOf(row, { edit, grades, attempt })
  return (
    <Page
      title={row.course}
      subtitle={
        <Dotted>
          <Code>{offeringCode(row)}</Code>
          {row.term && <bdi>{nameOf(row.term, lang)}</bdi>}
        </Dotted>
      }
      action={
        row.removed ? (
          able('restore') && (
            <Button leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={() => attempt(restore(row))}>
              {k('restore')}
            </Button>
          )
        ) : edit ? (
          <Button leftSection={<IconPencil size={16} aria-hidden />} onClick={() => void navigate(edit)}>
            {k('edit')}
          </Button>
        ) : grades ? (
          <Button leftSection={<IconClipboardText size={16} aria-hidden />} onClick={() => void navigate(grades)}>
            {t('marks')}
          </Button>
        ) : undefined
      }
      menu={menu.length ? menu : undefined}
    >
      <Identity
        row={row.course ?? { name: '' }}
        photo={false}
        titled
        status={
          row.removed ? (
            <Status is="removed" label={k('removed_status')} />
          ) : (
            <Status is={row.is_open ? 'open' : 'closed'} label={t(row.is_open ? 'open' : 'closed_word')} />
          )
        }
        line={status && row.control_status !== 'Draft' && <Status tone={status.tone} label={say(status.label)} />}
        figures={[
          { label: t('registered'), value: formatNumber(row.registered) },
          { label: t('free_seats'), value: formatNumber(row.free_seats) },
          ...(row.requested ? [{ label: t('requests'), value: formatNumber(row.requested) }] : []),
          ...(row.waiting ? [{ label: t('waiting'), value: formatNumber(row.waiting) }] : []),
        ]}
      />
      <ScreenTabs tabs={tabsOf(row)} />
    </Page>
  )
}

/** What can be done with an offering. */
function useOfferingMenu() {
  const t = useT('offerings')
  const k = useT('kit-screens')
  const navigate = useNavigate()
  const { send } = useChange('/offerings')
  const { remove } = useRemoving(web)
  return (
    row: OfferingRow,
    {
      edit,
      grades,
      attempt,
    }: { edit: string | null; grades: string | null; attempt: (work: Promise<unknown>) => void },
  ) => {
    const { id } = row
    const able = (ability: string) => row.abilities.includes(ability)
    const open = async (is_open: boolean) => {
      const { failed } = await send(offeringCalls.updateStatus, { body: { ids: [id], is_open } })
      notify.failed(failed)
    }
    const toggle = async () => {
      const next = !row.is_open
      await open(next)
      notify.undo(t(next ? 'opened' : 'closed', { name: row.course?.code ?? '' }), () => open(!next))
    }
    const attendance = screenAt(ATTENDANCE) && able('attendance') ? ATTENDANCE.replace(':id', String(id)) : null
    const bring = async () => {
      await send(lmsCalls.sync, { params: { id } })
      notify.done(t('lms_begun'))
    }
    const whyNotOpen = row.refused?.open
    return [
      ...(able('open') || whyNotOpen
        ? [
            <Menu.Item
              key="open"
              disabled={!able('open')}
              title={whyNotOpen && problemText(whyNotOpen)}
              leftSection={row.is_open ? <IconLock size={15} /> : <IconLockOpen size={15} />}
              onClick={() => attempt(toggle())}
            >
              {t(row.is_open ? 'close_registration' : 'open_registration')}
            </Menu.Item>,
          ]
        : []),
      ...(grades && edit
        ? [
            <Menu.Item key="marks" leftSection={<IconClipboardText size={15} />} onClick={() => void navigate(grades)}>
              {t('marks')}
            </Menu.Item>,
          ]
        : []),
      ...(attendance
        ? [
            <Menu.Item
              key="attendance"
              leftSection={<IconUserCheck size={15} />}
              onClick={() => void navigate(attendance)}
            >
              {t('attendance')}
            </Menu.Item>,
          ]
        : []),
      ...(able('lms')
        ? [
            <Menu.Item key="lms" leftSection={<IconSchool size={15} />} onClick={() => attempt(bring())}>
              {t('lms_bring')}
            </Menu.Item>,
          ]
        : []),
      ...(able('remove') && !row.removed
        ? [
            <Menu.Item
              key="remove"
              color="red"
              leftSection={<IconTrash size={15} />}
              onClick={() => attempt(remove(row))}
            >
              {k('remove')}
            </Menu.Item>,
          ]
        : []),
    ]
  }
}

/** Everything about an offering, under tabs. */
function useOfferingTabs() {
  const t = useT('offerings')
  const k = useT('kit-screens')
  const say = useLabel()
  return (row: OfferingRow): ScreenTab[] => {
    const { id } = row
    const able = (ability: string) => row.abilities.includes(ability)
    const programs = row.programs ?? []
    return [
      { key: 'overview', label: t('overview'), content: () => <Overview row={row} /> },
      { key: 'meetings', label: t('meetings'), content: () => <Meetings row={row} /> },
      {
        key: 'instructors',
        label: say(offering.fields.instructors.label),
        count: row.instructors?.length ?? 0,
        content: () => <Instructors row={row} />,
      },
      {
        key: 'programs',
        label: say(offering.fields.programs.label),
        count: programs.length,
        content: () => <OfferingPrograms row={row} />,
      },
      { key: 'linked', label: t('linked'), count: row.linked?.length ?? 0, content: () => <Linked row={row} /> },
      ...(able('students')
        ? [
            {
              key: 'students',
              label: t('students'),
              count: (row.registered ?? 0) + (row.requested ?? 0),
              content: () => <Students row={row} />,
            },
          ]
        : []),
      { key: 'statistics', label: t('statistics'), content: () => <Statistics id={id} /> },
      {
        key: 'history',
        label: k('history'),
        content: () => (
          <Card>
            <HistoryOf call={offerings.history} params={{ id }} />
          </Card>
        ),
      },
    ]
  }
}

const FACTS = [
  'term_id',
  'code',
  'credit_hours',
  'faculty_id',
  'department_id',
  'level',
  'min_students',
  'max_students',
  'mark_id',
  'notes',
] as const

function Overview({ row }: { row: OfferingRow }) {
  const t = useT('offerings')
  const say = useLabel()
  const few = (row.registered ?? 0) < (row.min_students ?? 0)
  const groups = row.groups ?? []
  return (
    <Cards>
      <Card
        title={t('seats_per_group')}
        aside={
          <span className={css.dim}>{t('seats_free_of', { free: row.free_seats ?? 0, seats: row.seats ?? 0 })}</span>
        }
        text={
          row.linked_offering && (
            <>
              {t('seats_from')}{' '}
              <RecordLink resource="offering" id={row.linked_offering.id}>
                <Code>{row.linked_offering.code}</Code>
              </RecordLink>
            </>
          )
        }
      >
        {few && (
          <p className={css.warn}>
            {t('under_minimum', { registered: row.registered ?? 0, min: row.min_students ?? 0 })}
          </p>
        )}
        {groups.some((g) => g.meetings.length) ? (
          <ul className={css.groups}>
            {groups.map((g) => (
              <li key={g.id}>
                <h3>{t('group', { number: g.number })}</h3>
                <Stack gap={6}>
                  {g.meetings.map((m) => (
                    <SeatBar
                      key={m.id}
                      taken={m.taken}
                      quota={m.quota}
                      over={m.over_quota}
                      label={<MeetingType {...m} />}
                    />
                  ))}
                </Stack>
              </li>
            ))}
          </ul>
        ) : (
          <Empty title={t('no_meetings')} text={t('no_meetings_text')} />
        )}
      </Card>
      <Stack>
        <Card title={t('facts')}>
          <FactsOf fields={offering.fields} row={row} names={FACTS} />
          {row.course && (
            <p className={css.dim} style={{ margin: '12px 0 0' }}>
              <RecordLink resource="course" id={row.course.id}>
                {t('open_course')}
              </RecordLink>
            </p>
          )}
        </Card>
        {(row.scheme?.length ?? 0) > 0 && (
          <Card title={say(offering.fields.scheme.label)}>
            <Facts
              items={row.scheme!.map((item) => ({
                label: <Name row={item} />,
                value: <Code>{formatNumber(item.max)}</Code>,
              }))}
            />
          </Card>
        )}
      </Stack>
    </Cards>
  )
}
