import { Button, Skeleton } from '@mantine/core'
import { IconCalendarPlus } from '@tabler/icons-react'
import { dayOf } from '#kit/contract/day.ts'
import { Code, Empty, Name, Status } from '#kit/web/feedback/index.ts'
import { formatAgo, formatDate, formatInstant, problemText, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Link, screenAt, to } from '#kit/web/router/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { unblockingStepOf } from '../desk/parts.web.tsx'
import type { PreflightAnswer, PreflightCourse, PreflightLine } from './preflight.contract.ts'
import { OFFICES } from './preflight.rules.ts'
import css from './preflight.module.css'

/** What will stand against a student's registration. `studentId`: for staff. */
export function Preflight({ answer, studentId }: { answer: PreflightAnswer | undefined; studentId: number | null }) {
  const t = useT('registration')
  if (!answer) return <Skeleton height="60vh" />
  const { window, lines, blocked, courses, student } = answer
  const blocks = lines.filter((line) => line.blocks)
  const notes = lines.filter((line) => !line.blocks)
  const stage = window && (window.code === 'add_drop' ? t('window_add_drop') : t('window_register'))
  return (
    <Stack>
      <Card label={t('preflight_state')}>
        <div className={css.verdict}>
          <Status
            is={blocked ? 'blocked' : 'ready'}
            label={blocked ? t('preflight_blocked', { count: blocks.length }) : t('preflight_free')}
          />
          {window && (
            <span className={css.dim} title={formatInstant(window.open ? window.to : window.from)}>
              {t('labelled', { label: stage ?? '' })}{' '}
              {t(window.open ? 'closes' : 'opens', {
                when: formatAgo(window.open ? window.to : window.from),
                at: formatInstant(window.open ? window.to : window.from),
              })}
            </span>
          )}
          {!window && <span className={css.dim}>{t('no_windows')}</span>}
          <Button
            component={Link}
            size="xs"
            variant={blocked || !window?.open ? 'default' : 'filled'}
            leftSection={<IconCalendarPlus size={15} aria-hidden />}
            to={studentId === null ? to('/offering/registration') : to('/advising/registration/:id', { id: studentId })}
          >
            {studentId === null ? t('my_registration') : t('preflight_open_desk')}
          </Button>
        </div>
      </Card>
      {blocks.length > 0 && (
        <Card title={t('preflight_blocks')} text={t('preflight_blocks_text')}>
          <Lines lines={blocks} studentId={studentId} own={studentId === null} />
        </Card>
      )}
      {notes.length > 0 && (
        <Card title={t('preflight_notes')}>
          <Lines lines={notes} studentId={studentId} own={studentId === null} />
        </Card>
      )}
      <Card title={t('preflight_courses')} text={t('preflight_courses_text')}>
        {courses.length ? (
          <ul className={css.lines}>
            {courses.map((one) => (
              <Course key={one.course.id} one={one} studentId={studentId} />
            ))}
          </ul>
        ) : (
          <Empty title={t('preflight_no_courses')} />
        )}
      </Card>
      {studentId !== null && screenAt('/students/:id') && (
        <Link to={to('/students/:id', { id: student.id })}>{t('open_student')}</Link>
      )}
    </Stack>
  )
}

function Lines({ lines, studentId, own }: { lines: readonly PreflightLine[]; studentId: number | null; own: boolean }) {
  const t = useT('registration')
  const say = useLabel()
  return (
    <ul className={css.lines}>
      {lines.map((line, i) => (
        <li key={i} data-blocks={line.blocks || undefined}>
          <span className={css.what} dir="auto">
            {problemText(line)}
          </span>
          <span className={css.facts}>
            {line.since && <span>{t('preflight_since', { date: formatDate(dayOf(line.since)) })}</span>}
            {(own || line.office !== 'student') && (
              <span>{t('preflight_lifts', { office: say(OFFICES[line.office]) })}</span>
            )}
            {unblockingStepOf(line, studentId)}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Course({ one, studentId }: { one: PreflightCourse; studentId: number | null }) {
  const t = useT('registration')
  const { course, reasons, in_progress } = one
  const waits = reasons.length > 0 && reasons.every(({ code }) => code === 'prerequisites') && in_progress.length > 0
  return (
    <li data-blocks={(reasons.length > 0 && !waits) || undefined}>
      <span className={css.what}>
        <Code>{course.code}</Code> <Name row={course} />{' '}
        <Status
          is={reasons.length === 0 ? 'met' : waits ? 'in_progress' : 'unmet'}
          label={
            reasons.length === 0
              ? t('preflight_may')
              : waits
                ? t('preflight_in_progress')
                : t('reasons', { count: reasons.length })
          }
        />
      </span>
      <span className={css.facts}>
        <span>{t('plan_place', { level: one.level, semester: one.semester })}</span>
        {reasons.map((reason, i) => (
          <span key={i} dir="auto">
            {problemText(reason)} {unblockingStepOf(reason, studentId)}
          </span>
        ))}
        {in_progress.length > 0 && <span>{t('preflight_taking', { courses: in_progress.join(', ') })}</span>}
      </span>
    </li>
  )
}
