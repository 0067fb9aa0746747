import { Button, Collapse, Skeleton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCalendarWeek, IconCheck } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Code, Empty, Failed } from '#kit/web/feedback/index.ts'
import { formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { Timetable } from '#kit/web/timetable/timetable.tsx'
import { registrationRecordCalls } from '../records/registration.contract.ts'
import type { AvailableOffering, Requested } from '../requests/request.contract.ts'
import { AvailableCourses } from './available.web.tsx'
import { weekEvents } from './choice.web.ts'
import { ChosenCourses } from './chosen.web.tsx'
import { Glance } from './glance.web.tsx'
import { DeskMenu, DeskSubtitle } from './head.web.tsx'
import { MyCourses } from './mine.web.tsx'
import { useDesk, type DeskState } from './use-desk.web.ts'
import css from './desk.module.css'

/** By marks alone: fetched by who studies so. */
const OwnBlock = part(async () => (await import('../block/own-block.web.tsx')).OwnBlock)
const Audit = part(async () => (await import('./audit.web.tsx')).default)

/**
 * Registration of one student in one term, on one screen: what is taken of what may be taken, the windows, the week as
 * it will be, what is registered and asked for, and what can still be had. Without `studentId` it is the reader's own.
 */
export function Desk({ studentId }: { studentId: number | null }) {
  const t = useT('registration')
  const phone = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false })
  const [showWeek, setShowWeek] = useState(false)
  const desk = useDesk(studentId)
  const { own, requestedQuery, requested, waitingForMe, acceptAll } = desk
  if (requestedQuery.error && !requested) {
    return (
      <Page title={own ? t('my_registration') : null}>
        <Failed error={requestedQuery.error} retry={() => void requestedQuery.refetch()} />
      </Page>
    )
  }
  const student = requested?.student
  const title = own ? t('my_registration') : (student ?? null)
  if (!requested) {
    // How high its parts will be depends on the student: they come all at once.
    return (
      <Page
        title={title}
        subtitle={'\u00A0'}
        facts={
          phone
            ? []
            : [
                { label: t('gpa'), value: '–' },
                { label: t('level'), value: '–' },
              ]
        }
      >
        <Skeleton height="100vh" />
      </Page>
    )
  }
  const load = requested.load
  const week = <Week desk={desk} requested={requested} />
  return (
    <Page
      title={title}
      subtitle={student ? <DeskSubtitle own={own} requested={requested} student={student} /> : '\u00A0'}
      facts={
        load && !phone
          ? [
              ...(load.by_marks ? [] : [{ label: t('gpa'), value: <Code>{formatNumber(load.gpa, 2) || '–'}</Code> }]),
              { label: t('level'), value: <Code>{formatNumber(load.level)}</Code> },
              ...(load.warnings ? [{ label: t('warnings'), value: <Code>{formatNumber(load.warnings)}</Code> }] : []),
            ]
          : []
      }
      action={
        waitingForMe.length > 1 ? (
          <Button leftSection={<IconCheck size={16} aria-hidden />} onClick={() => void acceptAll()}>
            {t('accept_all_count', { count: waitingForMe.length })}
          </Button>
        ) : undefined
      }
      menu={student ? <DeskMenu desk={desk} student={student} /> : undefined}
    >
      <Glance desk={desk} requested={requested} phone={phone} />

      {load?.by_marks && requested.term && (
        <Suspense>
          <OwnBlock student_id={studentId} term_id={requested.term.id} />
        </Suspense>
      )}
      <div className={css.columns}>
        <div className={css.main}>
          <MyCourses desk={desk} requested={requested} />
          {desk.asked.length > 0 && <ChosenCourses desk={desk} phone={phone} />}
          {phone && (
            <>
              <Button
                variant="default"
                fullWidth
                leftSection={<IconCalendarWeek size={16} aria-hidden />}
                onClick={() => setShowWeek(!showWeek)}
                aria-expanded={showWeek}
              >
                {t(showWeek ? 'hide_week' : 'show_week')}
              </Button>
              <Collapse expanded={showWeek}>{week}</Collapse>
            </>
          )}
          <AvailableCourses desk={desk} />
        </div>
        {!phone && (
          <aside className={css.side}>
            {week}
            {!own && student && (
              <Suspense fallback={<Skeleton height={160} />}>
                <Audit studentId={student.id} />
              </Suspense>
            )}
          </aside>
        )}
      </div>
      {!own && student && phone && (
        <Suspense fallback={null}>
          <Audit studentId={student.id} />
        </Suspense>
      )}
      <History studentId={student?.id ?? null} own={own} />
    </Page>
  )
}

/** The week as it will be, with what is chosen. */
function Week({ desk, requested }: { desk: DeskState; requested: Requested }) {
  const t = useT('registration')
  const lang = useLanguage()
  const { available, offerings, choices } = desk
  const { student, term } = requested
  const words = {
    place: (slot: AvailableOffering['slots'][number]) =>
      slot.location?.code ?? (slot.location ? nameOf(slot.location, lang) : null),
    choice: t('not_requested_yet'),
    clash: (codes: string) => t('clashes_with', { courses: codes }),
  }
  const events = available ? weekEvents(requested, offerings, choices, words) : undefined
  return (
    <section className={css.week} aria-label={t('week')}>
      <Timetable
        title={student ? nameOf(student, lang) : t('week')}
        note={term ? nameOf(term, lang) : undefined}
        events={events}
        empty={
          <Empty
            icon={<IconCalendarWeek size={28} stroke={1.4} />}
            title={t('week_empty')}
            text={t('week_empty_text')}
          />
        }
        noNow
        dayWidth={84}
      />
    </section>
  )
}

const Steps = part(async () => (await import('./steps.web.tsx')).default)
/** Every step so far, folded away until somebody asks. */
function History({ studentId, own }: { studentId: number | null; own: boolean }) {
  const t = useT('registration')
  const [open, setOpen] = useState(false)
  if (studentId === null) return null
  return (
    <section className={css.history}>
      <button type="button" className={css.historyHead} aria-expanded={open} onClick={() => setOpen(!open)}>
        {t('history')}
      </button>
      {open && (
        <Suspense fallback={<Skeleton height={80} />}>
          <Steps call={registrationRecordCalls.studentSteps} id={studentId} own={own} />
        </Suspense>
      )}
    </section>
  )
}
